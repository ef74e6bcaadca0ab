// Files of this machine as sources and as what lies below a directory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply/transaction/context.h"

namespace bunraku::apply {

// "/x" of "/x" and "file:///x"; nothing for a source elsewhere.
std::optional<std::string> local_path_of(const std::string& source);
// Nothing when there is no such file.
std::optional<SourceMetadata> local_metadata(const std::string& path, const SourceQuery& query);
// The file itself (".") and what lies below it, level by level, each directory's in the order of
// their names. Throws Failure for more files than are allowed.
std::vector<SourceMetadata> local_tree(const std::string& path, const SourceQuery& query,
                                       RunLog& log);

}  // namespace bunraku::apply
