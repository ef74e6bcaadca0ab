// The native type service and Ruby code: providers of modules, such as swiftinit, and services that
// code makes itself.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apply/transaction/resource_type.h"
#include "ruby/types/type_worker.h"

namespace bunraku::ruby_types {

// Returns one kind for each file puppet/provider/service/NAME.rb of the worker's modules and
// libraries. The worker must outlive the kinds.
std::vector<std::unique_ptr<apply::ProviderKind>> service_kinds(TypeWorker& worker);

// Runs an action of a service that is not in the catalog: start, stop, restart, enable, disable,
// status (returns running or stopped) or enabled? (true, false or mask). `attributes` are those of
// the resource. Throws Failure.
apply::Datum run_service_action(const apply::ResourceType& type, apply::Catalog& catalog,
                                std::string_view action, std::string title,
                                const apply::Datum& attributes);

}  // namespace bunraku::ruby_types
