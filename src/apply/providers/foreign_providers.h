// Providers of the reference that are not native: those of other systems, and some for Linux.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "apply/transaction/resource_type.h"

namespace bunraku::apply {

// Makes the foreign providers of a type ("package"), with their features in the reference. None is
// suitable, so a resource that names one fails by itself. Where the host has the provider's
// program, the error reports that the provider is not supported yet.
std::vector<std::unique_ptr<ProviderKind>> foreign_providers(std::string_view type);

}  // namespace bunraku::apply
