// Patterns of paths.
#pragma once

#include <string>
#include <vector>

namespace bunraku {

// Expands patterns with * ? [ { and directories of any depth (**/) like Ruby's Dir.glob, in its
// order: alternatives of braces as written, below each the names by bytes. "**/" enters neither
// hidden directories nor links. A pattern without any of these is returned itself, whether or not
// it exists; one with braces that are not closed finds nothing. Observers of reads are notified of
// the pattern. Throws EvaluationError (TooLarge) for patterns of more than 65,536 bytes or
// alternatives, or with alternatives of more than 64 MiB together.
std::vector<std::string> expand_glob(const std::string& pattern);

// Returns whether expand_glob() may find the path when it exists: true for all that it finds, and
// for some others. Throws as it does.
bool may_match_glob(const std::string& pattern, const std::string& path);

}  // namespace bunraku
