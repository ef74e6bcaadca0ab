// The files that a look-up searched, and what error messages say about them: which file lacks a
// key, which key may be meant, and which file has a value that does not fit.
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
// Adds a label at the root key in the first file that has the key, or in all such files when the
// value was merged. Values are not shown.
void explain_found_key(Diagnostic& diagnostic, std::string_view root, bool is_merged,
                       const std::vector<SearchedFile>& files, const std::string& directory);

}  // namespace bunraku
