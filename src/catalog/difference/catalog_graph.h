// Graphs of a catalog: containment and order.
#pragma once

#include <map>
#include <string>

#include "catalog/document/catalog_document.h"

namespace bunraku {

// The graph in the DOT language of Graphviz.
std::string catalog_dot(const CatalogDocument& catalog);

// The reason for each resource, by its reference: JSON, a tree of objects with kind, name, file,
// line, level and because.
using CatalogReasons = std::map<std::string, std::string, std::less<>>;

// An HTML page that loads nothing else: search, zoom, and for each resource its parameters and
// reasons. Without reasons (for a catalog that was read from a file) its containers are shown.
std::string catalog_graph_page(const CatalogDocument& catalog, const CatalogReasons& reasons);

}  // namespace bunraku
