#include "catalog/difference/line_difference.h"

#include <algorithm>

namespace bunraku {
namespace {

// The limit of work: larger sections that differ are shown as replaced.
constexpr size_t kMostCells = size_t{4} << 20;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

void replace_all(const Lines& before, const Lines& after, size_t from, size_t before_end,
                 size_t after_end, std::vector<LineChange>& all) {
  for (size_t i = from; i < before_end; ++i) all.push_back({LineKind::kRemoved, before[i]});
  for (size_t i = from; i < after_end; ++i) all.push_back({LineKind::kAdded, after[i]});
}

// Compares the lines between the common start and the common end by their longest common
// subsequence.
void compare(const Lines& before, const Lines& after, size_t from, size_t before_end,
             size_t after_end, std::vector<LineChange>& all) {
  const size_t rows = before_end - from, columns = after_end - from;
  if (rows == 0 || columns == 0 || rows > kMostCells / columns) {
    return replace_all(before, after, from, before_end, after_end, all);
  }
  // length(i, j): the length of the longest common subsequence after line i and line j.
  std::vector<uint32_t> lengths((rows + 1) * (columns + 1), 0);
  const auto length = [&](size_t i, size_t j) -> uint32_t& {
    return lengths[i * (columns + 1) + j];
  };
  for (size_t i = rows; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      length(i, j) = before[from + i] == after[from + j]
                         ? length(i + 1, j + 1) + 1
                         : std::max(length(i + 1, j), length(i, j + 1));
    }
  }
  size_t i = 0, j = 0;
  while (i < rows || j < columns) {
    if (i < rows && j < columns && before[from + i] == after[from + j]) {
      all.push_back({LineKind::kSame, before[from + i]});
      ++i, ++j;
    } else if (i < rows && (j == columns || length(i + 1, j) >= length(i, j + 1))) {
      all.push_back({LineKind::kRemoved, before[from + i++]});
    } else {
      all.push_back({LineKind::kAdded, after[from + j++]});
    }
  }
}

std::vector<LineChange> with_context(const std::vector<LineChange>& all, size_t context) {
  std::vector<bool> is_near(all.size(), false);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == LineKind::kSame) continue;
    const size_t end = std::min(all.size(), i + context + 1);
    for (size_t j = i < context ? 0 : i - context; j < end; ++j) is_near[j] = true;
  }
  std::vector<LineChange> near;
  bool is_in_gap = false;
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_near[i]) {
      if (is_in_gap && !near.empty()) near.push_back({LineKind::kGap, {}});
      near.push_back(all[i]);
    }
    is_in_gap = !is_near[i];
  }
  return near;
}

}  // namespace

std::vector<LineChange> line_difference(std::string_view before_text, std::string_view after_text,
                                        size_t context) {
  const Lines before = lines_of(before_text), after = lines_of(after_text);
  size_t begin = 0;
  while (begin < before.size() && begin < after.size() && before[begin] == after[begin]) ++begin;
  size_t before_end = before.size(), after_end = after.size();
  while (before_end > begin && after_end > begin &&
         before[before_end - 1] == after[after_end - 1]) {
    --before_end, --after_end;
  }
  std::vector<LineChange> all;
  for (size_t i = 0; i < begin; ++i) all.push_back({LineKind::kSame, before[i]});
  compare(before, after, begin, before_end, after_end, all);
  for (size_t i = before_end; i < before.size(); ++i) all.push_back({LineKind::kSame, before[i]});
  return with_context(all, context);
}

}  // namespace bunraku
