// Patterns of paths.
#pragma once

#include <string>
#include <vector>

namespace bunraku {

// Shell patterns with * ? [ { as Ruby's Dir.glob takes them; sorted. A pattern without any of these
// is its own answer whether or not it exists. Observers of reads are notified of the pattern.
// Throws EvaluationError (TooLarge) where braces stand for more than 65,536 patterns.
std::vector<std::string> expand_glob(const std::string& pattern);

}  // namespace bunraku
