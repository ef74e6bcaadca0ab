// Providers of the reference that are not native: those of other systems, and some of Linux.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "apply/transaction/resource_type.h"

namespace bunraku::apply {

// The foreign providers of a type ("package"), with the features that they have in the reference.
// No foreign provider is suitable: a resource that names one fails alone. Where the host has the
// provider's program, the error says that the provider is not supported yet.
std::vector<std::unique_ptr<ProviderKind>> foreign_providers(std::string_view type);

}  // namespace bunraku::apply
