// Providers that modules have in Ruby for the native type service, such as swiftinit.
#pragma once

#include <memory>
#include <vector>

#include "apply/transaction/resource_type.h"
#include "ruby/types/type_worker.h"

namespace bunraku::ruby_types {

// Returns one kind for each file puppet/provider/service/NAME.rb of the worker's modules and
// libraries. The worker must outlive the kinds.
std::vector<std::unique_ptr<apply::ProviderKind>> service_kinds(TypeWorker& worker);

}  // namespace bunraku::ruby_types
