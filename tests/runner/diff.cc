#include "runner/diff.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bunraku::cases {

namespace {

constexpr size_t kContext = 3;
// Beyond this number of edits the middle is reported as one replacement, because more does not help
// readers.
constexpr int kMostEdits = 1000;

struct Line {
  char mark;  // ' ', '-' or '+'
  std::string_view text;
};

using Lines = std::vector<std::string_view>;

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Myers' greedy search for the shortest edit script; empty when it needs too many edits.
std::vector<std::vector<int>> search(const Lines& a, const Lines& b) {
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  const int most = std::min(n + m, kMostEdits);
  // The furthest place reached on each diagonal k = x - y, from -most - 1 to most + 1.
  std::vector<int> reach(2 * static_cast<size_t>(most) + 3, 0);
  int* const middle = reach.data() + most + 1;
  auto at = [&](int k) -> int& { return middle[k]; };
  std::vector<std::vector<int>> trace;
  for (int d = 0; d <= most; ++d) {
    trace.push_back(reach);
    for (int k = -d; k <= d; k += 2) {
      int x = k == -d || (k != d && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < n && x - k < m && a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)]) ++x;
      at(k) = x;
      if (x >= n && x - k >= m) return trace;
    }
  }
  return {};
}

std::vector<Line> edits(const Lines& a, const Lines& b) {
  std::vector<Line> script;
  std::vector<std::vector<int>> trace = search(a, b);
  if (trace.empty()) {
    for (const std::string_view line : a) script.push_back({'-', line});
    for (const std::string_view line : b) script.push_back({'+', line});
    return script;
  }
  int x = static_cast<int>(a.size()), y = static_cast<int>(b.size());
  for (int d = static_cast<int>(trace.size()) - 1; d >= 0; --d) {
    const std::vector<int>& reach = trace[static_cast<size_t>(d)];
    const int* const middle = reach.data() + reach.size() / 2;
    auto at = [&](int k) { return middle[k]; };
    const int k = x - y;
    const int before = k == -d || (k != d && at(k - 1) < at(k + 1)) ? k + 1 : k - 1;
    const int from_x = at(before), from_y = from_x - before;
    while (x > from_x && y > from_y) {
      script.push_back({' ', a[static_cast<size_t>(--x)]});
      --y;
    }
    if (d == 0) break;
    if (x == from_x) {
      script.push_back({'+', b[static_cast<size_t>(--y)]});
    } else {
      script.push_back({'-', a[static_cast<size_t>(--x)]});
    }
  }
  std::ranges::reverse(script);
  return script;
}

void append_hunk(std::string& out, const std::vector<Line>& script, size_t first, size_t last,
                 size_t old_line, size_t new_line) {
  size_t old_count = 0, new_count = 0;
  for (size_t i = first; i < last; ++i) {
    old_count += script[i].mark != '+';
    new_count += script[i].mark != '-';
  }
  out += "@@ -" + std::to_string(old_line) + ',' + std::to_string(old_count) + " +" +
         std::to_string(new_line) + ',' + std::to_string(new_count) + " @@\n";
  for (size_t i = first; i < last; ++i) {
    out += script[i].mark;
    out += script[i].text;
    out += '\n';
  }
}

}  // namespace

std::string unified_diff(std::string_view expected, std::string_view actual) {
  std::string out;
  if (expected == actual) return out;
  std::vector<Line> script = edits(split(expected), split(actual));
  size_t old_line = 1, new_line = 1;
  size_t i = 0;
  while (i < script.size()) {
    size_t change = i;
    while (change < script.size() && script[change].mark == ' ') ++change;
    if (change == script.size()) break;
    const size_t first = change - std::min(change - i, kContext);
    old_line += first - i;
    new_line += first - i;
    size_t last = change, quiet = 0;
    while (last < script.size() && quiet <= 2 * kContext) {
      quiet = script[last].mark == ' ' ? quiet + 1 : 0;
      ++last;
    }
    last -= quiet > kContext ? quiet - kContext : 0;
    append_hunk(out, script, first, last, old_line, new_line);
    for (size_t j = first; j < last; ++j) {
      old_line += script[j].mark != '+';
      new_line += script[j].mark != '-';
    }
    i = last;
  }
  return out.empty() ? "(the texts differ in the end of their last line)\n" : out;
}

}  // namespace bunraku::cases
