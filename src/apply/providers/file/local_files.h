// Files of this machine as sources, and the files below a directory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/transaction/context.h"

namespace bunraku::apply {

// "/x" for "/x" and "file:///x"; no value for a source elsewhere.
std::optional<std::string> local_path_of(const std::string& source);
// Returns no value when there is no such file.
std::optional<SourceMetadata> local_metadata(const std::string& path, const SourceQuery& query);
// The file itself (".") and everything below it, level by level, sorted by name within each
// directory. Throws Failure for more files than allowed.
std::vector<SourceMetadata> local_tree(const std::string& path, const SourceQuery& query,
                                       RunLog& log);

}  // namespace bunraku::apply
