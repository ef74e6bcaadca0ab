// The error of a key that was not found: the files that were searched, and the key that may be
// meant.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "site/lookup/data_files.h"

namespace bunraku {

// A file of the hierarchy, resolved for the node.
struct SearchedFile {
  std::string path;
  bool exists = false;
  std::shared_ptr<const DataFile> file;  // null for files that functions of modules read
};

// Adds notes on the files to the error about `key`, and a label at the most similar key in them.
// Paths below `directory`, which may be empty, are shown relative to it.
void explain_missing_key(Diagnostic& diagnostic, std::string_view key,
                         const std::vector<SearchedFile>& files, const std::string& directory);

}  // namespace bunraku
