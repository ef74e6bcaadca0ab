// When a resource's turn comes while a catalog is applied, and what it waits for.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/catalog_application.h"

namespace bunraku {

// For people: the resource's number, and the relations to others, its own and those of its
// containers, with what has made each. Nothing when the catalog cannot be applied, which is logged,
// or has no such resource.
std::optional<std::string> waiting_text(ConsoleSink& sink, const CatalogToApply& catalog,
                                        const std::string& reference);

}  // namespace bunraku
