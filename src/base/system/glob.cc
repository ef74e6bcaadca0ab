// Patterns of paths: limits their braces, and reports them to observers.
#include "base/system/glob.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_reader.h"
#include "base/system/reads.h"

namespace bunraku {
namespace {

// The number of patterns that the braces expand to, up to the limit.
constexpr uint64_t kMostAlternatives = 1 << 16;

uint64_t count_alternatives(std::string_view pattern) {
  // For an open brace: the number of patterns of the alternatives before this one, and of this one
  // so far.
  struct Group {
    uint64_t before = 0;
    uint64_t here = 1;
  };
  std::vector<Group> open(1);
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '{') {
      open.emplace_back();
    } else if (pattern[i] == ',' && open.size() > 1) {
      open.back() = {open.back().before + open.back().here, 1};
    } else if (pattern[i] == '}' && open.size() > 1) {
      const uint64_t count = open.back().before + open.back().here;
      open.pop_back();
      open.back().here = std::min(open.back().here * count, kMostAlternatives + 1);
    }
  }
  return open.front().here;
}

}  // namespace

std::vector<std::string> expand_glob(const std::string& pattern) {
  if (pattern.find_first_of("*?[{") == std::string::npos) return {pattern};
  if (count_alternatives(pattern) > kMostAlternatives) {
    throw EvaluationError(make_diagnostic(
        Issue::kTooLarge, {},
        {"A pattern for paths", std::to_string(kMostAlternatives), "alternatives"}));
  }
  std::vector<std::string> found = matching_paths(pattern);
  if (ReadObserver* observer = ReadObserver::current()) {
    observer->glob(pattern, names_digest(found));
  }
  return found;
}

}  // namespace bunraku
