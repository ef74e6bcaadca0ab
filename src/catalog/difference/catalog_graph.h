// A catalog drawn: what contains what, and what comes before what.
#pragma once

#include <map>
#include <string>

#include "catalog/document/catalog_document.h"

namespace bunraku {

// For the programs of Graphviz.
std::string catalog_dot(const CatalogDocument& catalog);

// By a resource's reference why it is in the catalog: JSON, a tree of objects with kind, name,
// file, line, level and because.
using CatalogReasons = std::map<std::string, std::string, std::less<>>;

// A page without anything outside of it: search, zoom, and for each resource its parameters and
// what led to it. Without reasons (of a catalog that was read) that is what contains it.
std::string catalog_graph_page(const CatalogDocument& catalog, const CatalogReasons& reasons);

}  // namespace bunraku
