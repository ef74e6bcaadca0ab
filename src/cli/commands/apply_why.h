// The position of a resource in the order of application, and the resources that it waits for.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/catalog_application.h"

namespace bunraku {

// Text for people: the resource's number, and its relations and those of its containers, with the
// reason for each. No value when the catalog cannot be applied, which is logged, or has no such
// resource.
std::optional<std::string> waiting_text(ConsoleSink& sink, const CatalogToApply& catalog,
                                        const std::string& reference);

}  // namespace bunraku
