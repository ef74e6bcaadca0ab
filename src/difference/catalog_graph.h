// A catalog drawn: what contains what, and what comes before what.
#pragma once

#include <string>

#include "difference/catalog_document.h"

namespace bunraku {

// For the programs of Graphviz.
std::string catalog_dot(const CatalogDocument& catalog);

// A page without anything outside of it: search, zoom, and for each resource its parameters and
// what led to it.
std::string catalog_graph_page(const CatalogDocument& catalog);

}  // namespace bunraku
