#include "base/text/suggestion.h"

#include <algorithm>
#include <vector>

#include "base/text/ascii.h"

namespace bunraku {
namespace {

size_t common_prefix(std::string_view a, std::string_view b) {
  size_t length = 0;
  while (length < std::min(a.size(), b.size()) && to_lower(a[length]) == to_lower(b[length])) {
    ++length;
  }
  return length;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  // Three rows of the table of distances between all prefixes of a and b.
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    size_t smallest = row[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool is_same = to_lower(a[i - 1]) == to_lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (is_same ? 0 : 1)});
      const bool is_swapped = i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) &&
                              to_lower(a[i - 2]) == to_lower(b[j - 1]);
      if (is_swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
      smallest = std::min(smallest, row[j]);
    }
    if (smallest > limit) return limit + 1;
    before_last.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::string_view closest_name(std::string_view name, std::span<const std::string_view> candidates) {
  size_t limit = std::max<size_t>(1, name.size() / 3);
  std::string_view best;
  size_t best_prefix = 0;
  for (const std::string_view candidate : candidates) {
    const size_t distance = edit_distance(name, candidate, limit);
    // A candidate that differs in every letter of a short name is not similar.
    if (distance > limit || distance >= std::max(name.size(), candidate.size())) continue;
    const size_t prefix = common_prefix(name, candidate);
    const bool is_closer = best.empty() || distance < limit || prefix > best_prefix;
    if (!is_closer) continue;
    best = candidate;
    best_prefix = prefix;
    limit = distance;
  }
  return best;
}

}  // namespace bunraku
