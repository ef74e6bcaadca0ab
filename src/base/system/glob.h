// Patterns of paths.
#pragma once

#include <string>
#include <vector>

namespace bunraku {

// Expands shell patterns with * ? [ { like Ruby's Dir.glob; sorted. A pattern without any of these
// is returned itself, whether or not it exists. Observers of reads are notified of the pattern.
// Throws EvaluationError (TooLarge) when braces expand to more than 65,536 patterns.
std::vector<std::string> expand_glob(const std::string& pattern);

}  // namespace bunraku
