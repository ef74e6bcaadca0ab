// The names of a catalog's classes and resources, for other tools to read.
#pragma once

#include <string>

#include "apply/transaction/catalog.h"

namespace bunraku::apply {

// Writes classes.txt and resources.txt, one name a line. Throws FileError.
void write_catalog_summary(const Catalog& catalog, const std::string& classes_path,
                           const std::string& resources_path);

}  // namespace bunraku::apply
