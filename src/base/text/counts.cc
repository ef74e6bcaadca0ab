// Counts with separators, and lists that are cut off.
#include "base/text/counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace bunraku {

std::string count_text(size_t count) {
  std::string text = std::to_string(count);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string counted(size_t count, std::string_view one, std::string_view many) {
  if (count == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", count_text(count), one)
                      : fmt::format("{} {}", count_text(count), many);
}

std::string names_text(const std::vector<std::string>& names, size_t most) {
  const size_t shown = std::min(names.size(), most);
  std::string text;
  for (size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  if (shown < names.size()) text += fmt::format(" and {} more", count_text(names.size() - shown));
  return text;
}

}  // namespace bunraku
