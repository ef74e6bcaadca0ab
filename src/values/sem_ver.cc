#include "values/sem_ver.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/number_text.h"
#include "values/conversion_error.h"

namespace bunraku {

namespace {

bool is_part_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

// Removes 0 or digits without a leading zero; empty when there are none.
std::string_view take_number(std::string_view& text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) count++;
  if (count > 1 && text[0] == '0') count = 1;
  const std::string_view number = text.substr(0, count);
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

// Removes parts joined by dots; empty when there are none.
std::string_view take_parts(std::string_view& text) {
  size_t end = 0;
  for (;;) {
    const size_t start = end;
    while (end < text.size() && is_part_character(text[end])) end++;
    if (end == start) {
      end = start == 0 ? 0 : start - 1;
      break;
    }
    if (end >= text.size() || text[end] != '.') break;
    end++;
  }
  const std::string_view parts = text.substr(0, end);
  text.remove_prefix(end);
  return parts;
}

// Removes the parts after a mark, if it is there. Returns whether parts follow it, or it is
// missing.
bool take_marked(std::string_view& text, char mark, std::string_view& parts) {
  if (!take(text, mark)) return true;
  parts = take_parts(text);
  return !parts.empty();
}

int64_t number_of(std::string_view digits) {
  auto number = parse_integer(digits);
  if (!number)
    fail_conversion(Issue::kNumberOutOfRange,
                    {"A SemVer with numbers beyond 64 bits is not supported yet"});
  return *number;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::span<const Value> split_parts(Arena& arena, std::string_view parts, bool with_numbers) {
  if (parts.empty()) return {};
  std::vector<Value> items;
  for (;;) {
    const size_t dot = parts.find('.');
    const std::string_view part = parts.substr(0, dot);
    items.push_back(with_numbers && is_number(part) ? Value::integer(number_of(part))
                                                    : Value::string(arena, part));
    if (dot == std::string_view::npos) break;
    parts.remove_prefix(dot + 1);
  }
  return arena.copy(std::span<const Value>(items));
}

bool has_leading_zero(std::string_view parts) {
  for (;;) {
    const size_t dot = parts.find('.');
    const std::string_view part = parts.substr(0, dot);
    if (part.size() > 1 && part[0] == '0' && is_number(part)) return true;
    if (dot == std::string_view::npos) return false;
    parts.remove_prefix(dot + 1);
  }
}

void append_parts(std::string& out, char lead, std::span<const Value> parts) {
  for (const Value part : parts) {
    out += lead;
    lead = '.';
    if (part.is_integer()) {
      append_integer(out, part.as_integer());
    } else {
      out += part.as_string();
    }
  }
}

// A version above all others.
constexpr int64_t kInfinity = std::numeric_limits<int64_t>::max();
constexpr SemVer kGreatest{kInfinity, 0, 0, {}, {}};
// A version below all others, as the bound of the empty range.
constexpr SemVer kLeast{0, 0, 0, {}, {}};

template <typename T>
int order(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compare_prerelease(std::span<const Value> a, std::span<const Value> b) {
  // A version without prerelease is after those with one.
  if (a.empty() || b.empty()) return order(a.empty(), b.empty());
  for (size_t i = 0; i < a.size(); i++) {
    if (i >= b.size()) return 1;
    int found = 0;
    if (a[i].is_integer()) {
      found = b[i].is_integer() ? order(a[i].as_integer(), b[i].as_integer()) : -1;
    } else if (b[i].is_integer()) {
      found = 1;
    } else {
      found = order(a[i].as_string(), b[i].as_string());
    }
    if (found != 0) return found;
  }
  return order(a.size(), b.size());
}

bool same_parts(std::span<const Value> a, std::span<const Value> b) {
  return std::ranges::equal(a, b, identical);
}

}  // namespace

const SemVer* parse_sem_ver(Arena& arena, std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string_view numbers[3];
  for (int i = 0; i < 3; i++) {
    if (i > 0 && !take(text, '.')) return nullptr;
    numbers[i] = take_number(text);
    if (numbers[i].empty()) return nullptr;
  }
  std::string_view prerelease;
  std::string_view build;
  if (!take_marked(text, '-', prerelease) || !take_marked(text, '+', build)) return nullptr;
  if (!text.empty()) return nullptr;
  if (!prerelease.empty() && has_leading_zero(prerelease)) {
    fail_conversion(Issue::kInvalidVersion,
                    {"Numeric pre-release identifiers MUST NOT contain leading zeroes"});
  }
  return arena.make<SemVer>(number_of(numbers[0]), number_of(numbers[1]), number_of(numbers[2]),
                            split_parts(arena, prerelease, true), split_parts(arena, build, false));
}

void append_text(std::string& out, const SemVer& version) {
  if (version.major == kInfinity) {
    out += "Infinity";
  } else {
    append_integer(out, version.major);
  }
  out += '.';
  append_integer(out, version.minor);
  out += '.';
  append_integer(out, version.patch);
  append_parts(out, '-', version.prerelease);
  append_parts(out, '+', version.build);
}

int compare(const SemVer& a, const SemVer& b) {
  if (const int found = order(a.major, b.major)) return found;
  if (const int found = order(a.minor, b.minor)) return found;
  if (const int found = order(a.patch, b.patch)) return found;
  return compare_prerelease(a.prerelease, b.prerelease);
}

bool same(const SemVer& a, const SemVer& b) {
  return a.major == b.major && a.minor == b.minor && a.patch == b.patch &&
         same_parts(a.prerelease, b.prerelease) && same_parts(a.build, b.build);
}

// --- ranges -------------------------------------------------------------------------------------

namespace {

using Interval = SemVerInterval;
using Intervals = std::vector<Interval>;

bool same_bound(const SemVer* a, const SemVer* b) {
  return a == b || (a && b && same(*a, *b));
}

bool same(const Interval& a, const Interval& b) {
  return same_bound(a.min, b.min) && same_bound(a.max, b.max) && a.exclude_min == b.exclude_min &&
         a.exclude_max == b.exclude_max;
}

// A bound in the order of all bounds: an absent lower one is before every version, an absent upper
// one after.
struct Bound {
  const SemVer* version;
  bool is_upper;

  int rank() const { return version && version != &kLeast ? 0 : version || !is_upper ? -1 : 1; }
};
int compare(Bound a, Bound b) {
  if (a.is_upper && !a.version) a.version = &kGreatest;
  if (b.is_upper && !b.version) b.version = &kGreatest;
  if (!a.version || !b.version || a.rank() != 0 || b.rank() != 0) return order(a.rank(), b.rank());
  return bunraku::compare(*a.version, *b.version);
}
Bound begin_of(const Interval& interval) {
  return {interval.min, false};
}
Bound end_of(const Interval& interval) {
  return {interval.max, true};
}

Interval exactly(const SemVer* version) {
  return {version, version, false, false};
}

// The range from two open bounds: unlike "*" it excludes prereleases.
Interval bounded_whole() {
  return {nullptr, &kGreatest, false, false};
}

// Determines the versions in both; returns false when there are none.
bool intersect(const Interval& a, const Interval& b, Interval& result) {
  for (auto [low, high] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const int found = compare(begin_of(*low), end_of(*high));
    if (found > 0) return false;
    if (found == 0) {
      if (low->exclude_min || high->exclude_max) return false;
      result = exactly(low->min);
      return true;
    }
  }
  const int lower = compare(begin_of(a), begin_of(b));
  const Interval& min = lower < 0 ? b : lower > 0 ? a : a.exclude_min ? a : b;
  const int upper = compare(end_of(a), end_of(b));
  const Interval& max = upper > 0 ? b : upper < 0 ? a : a.exclude_max ? a : b;
  result = {min.min, max.max, min.exclude_min, max.exclude_max};
  const bool has_upper = result.max && result.max->major != kInfinity;
  if (!has_upper) result.max = nullptr, result.exclude_max = false;
  return true;
}

bool contains(const Interval& interval, Bound bound) {
  const int low = compare(bound, begin_of(interval));
  const int high = compare(bound, end_of(interval));
  return (low > 0 || (low == 0 && !interval.exclude_min)) &&
         (high < 0 || (high == 0 && !interval.exclude_max));
}

// Returns whether `later` is the next patch after `earlier`.
bool is_next_patch(const SemVer* earlier, const SemVer* later) {
  if (!earlier || !later) return false;
  const SemVer next{earlier->major, earlier->minor, earlier->patch + 1, {}, {}};
  return bunraku::same(next, *later);
}

Interval joined(const Interval& lower, const Interval& upper) {
  if (!lower.min && (!upper.max || upper.max->major == kInfinity)) return bounded_whole();
  if (upper.max && upper.max->major == kInfinity) {
    return {lower.min, nullptr, lower.exclude_min, false};
  }
  return {lower.min, upper.max, lower.exclude_min, upper.exclude_max};
}

bool is_all(const Interval& interval) {
  return !interval.min && !interval.max;
}

bool follows(const Interval& a, const Interval& b) {
  if (!a.max || !b.min || b.exclude_min) return false;
  return a.exclude_max ? same_bound(a.max, b.min) : is_next_patch(a.max, b.min);
}

// Merges two overlapping or adjacent intervals; returns false when they are apart.
bool merge(const Interval& a, const Interval& b, Interval& result) {
  if (is_all(a)) {
    result = a;
    return true;
  }
  if (contains(a, begin_of(b)) || contains(b, begin_of(a))) {
    const int lower = compare(begin_of(a), begin_of(b));
    const int upper = compare(end_of(a), end_of(b));
    Interval min = lower <= 0 ? a : b;
    if (lower == 0) min.exclude_min = a.exclude_min && b.exclude_min;
    Interval max = upper > 0 ? a : b;
    if (upper == 0) max.exclude_max = a.exclude_max && b.exclude_max;
    result = joined(min, max);
    return true;
  }
  if (follows(a, b)) {
    result = joined(a, b);
    return true;
  }
  if (follows(b, a)) {
    result = joined(b, a);
    return true;
  }
  return false;
}

Interval nothing() {
  return {nullptr, &kLeast, false, true};
}
bool is_nothing(const Interval& interval) {
  return interval.max == &kLeast;
}

// Merges until no two intervals are adjacent.
Intervals merged(Intervals intervals) {
  bool changed = true;
  while (intervals.size() > 1 && changed) {
    changed = false;
    Intervals result;
    while (!intervals.empty()) {
      Interval memo = intervals.back();
      intervals.pop_back();
      Intervals apart;
      for (const Interval& other : intervals) {
        Interval both;
        if (merge(memo, other, both)) {
          memo = both;
          changed = true;
        } else {
          apart.push_back(other);
        }
      }
      result.push_back(memo);
      intervals = std::move(apart);
    }
    std::ranges::reverse(result);
    intervals = std::move(result);
  }
  if (intervals.empty()) intervals.push_back(nothing());
  return intervals;
}

// A version with omitted parts: 1, 1.2, 1.x, 1.2.3-a+b.
struct Partial {
  int64_t numbers[3] = {0, 0, 0};
  bool given[3] = {false, false, false};
  std::string_view prerelease, build;
};

bool parse_partial(std::string_view text, Partial& partial) {
  for (int i = 0; i < 3; i++) {
    if (i > 0 && !take(text, '.')) break;
    if (!take(text, 'x') && !take(text, 'X') && !take(text, '*')) {
      const std::string_view number = take_number(text);
      if (number.empty()) return false;
      partial.numbers[i] = number_of(number);
      partial.given[i] = true;
    }
    if (i == 2) {
      if (!take_marked(text, '-', partial.prerelease)) return false;
      if (!take_marked(text, '+', partial.build)) return false;
    }
  }
  return text.empty();
}

class RangeReader {
 public:
  RangeReader(Arena& arena, std::string_view whole) : arena_(arena), whole_(whole) {}

  Intervals read() {
    const std::string text = without_blanks_after_operators();
    Intervals intervals;
    const std::vector<std::string_view> alternatives = split_alternatives(text);
    if (alternatives.empty()) return {Interval{nullptr, nullptr, false, false}};
    for (const std::string_view alternative : alternatives) {
      Interval interval;
      if (!read_alternative(alternative, interval)) continue;
      const bool known = std::ranges::any_of(
          intervals, [&](const Interval& other) { return same(interval, other); });
      if (!known) intervals.push_back(interval);
    }
    return merged(std::move(intervals));
  }

  // Returns whether the text has no alternative at all.
  bool is_all() { return split_alternatives(whole_).empty(); }

 private:
  [[noreturn]] void fail() const {
    fail_conversion(Issue::kInvalidVersion,
                    {"Unparsable version range: \"" + std::string(whole_) + "\""});
  }

  std::string without_blanks_after_operators() const {
    std::string out;
    for (size_t at = 0; at < whole_.size();) {
      const char c = whole_[at++];
      out += c;
      if (c != '>' && c != '<' && c != '=' && c != '~' && c != '^') continue;
      size_t blanks = at;
      while (blanks < whole_.size() && is_white(whole_[blanks])) blanks++;
      if (blanks > at) {
        at = blanks;
      } else if (at < whole_.size() && whole_[at] == 'v') {
        at++;
      }
    }
    return out;
  }

  static std::vector<std::string_view> split_alternatives(std::string_view text) {
    std::vector<std::string_view> parts;
    size_t start = 0;
    for (size_t at = text.find("||"); at != std::string_view::npos; at = text.find("||", start)) {
      size_t end = at;
      while (end > start && is_white(text[end - 1])) end--;
      parts.push_back(text.substr(start, end - start));
      start = at + 2;
      while (start < text.size() && is_white(text[start])) start++;
    }
    parts.push_back(text.substr(start));
    while (!parts.empty() && parts.back().empty()) parts.pop_back();
    return parts;
  }

  // Returns false when the range is empty.
  bool read_alternative(std::string_view text, Interval& result) {
    if (read_hyphen(text, result)) return !is_empty_;
    Intervals simples;
    for (const std::string_view simple : split_blanks(text)) simples.push_back(read_simple(simple));
    if (simples.empty()) return false;
    result = simples.front();
    return std::all_of(simples.begin() + 1, simples.end(), [&result](const Interval& interval) {
      return intersect_into(result, interval);
    });
  }

  static bool intersect_into(Interval& result, const Interval& other) {
    if (::bunraku::is_all(result)) {
      result = other;
      return true;
    }
    if (::bunraku::is_all(other)) return true;
    Interval both;
    if (!intersect(result, other, both)) return false;
    result = both;
    return true;
  }

  static std::vector<std::string_view> split_blanks(std::string_view text) {
    std::vector<std::string_view> parts;
    for (size_t at = 0;;) {
      size_t end = at;
      while (end < text.size() && !is_white(text[end])) end++;
      parts.push_back(text.substr(at, end - at));
      if (end == text.size()) break;
      for (at = end; at < text.size() && is_white(text[at]);) at++;
    }
    while (!parts.empty() && parts.back().empty()) parts.pop_back();
    return parts;
  }

  // "1.2 - 1.5"
  bool read_hyphen(std::string_view text, Interval& result) {
    size_t first = 0;
    while (first < text.size() && !is_white(text[first])) first++;
    size_t hyphen = first;
    while (hyphen < text.size() && is_white(text[hyphen])) hyphen++;
    if (hyphen == first || hyphen >= text.size() || text[hyphen] != '-') return false;
    size_t second = hyphen + 1;
    while (second < text.size() && is_white(text[second])) second++;
    if (second == hyphen + 1) return false;
    Partial low;
    Partial high;
    if (!parse_partial(text.substr(0, first), low) || !parse_partial(text.substr(second), high)) {
      return false;
    }
    is_empty_ = !intersect({version(low), nullptr, false, false},
                           {nullptr, version(high), false, false}, result);
    return true;
  }

  const SemVer* version(int64_t major, int64_t minor, int64_t patch) {
    return arena_.make<SemVer>(major, minor, patch, std::span<const Value>(),
                               std::span<const Value>());
  }
  const SemVer* version(const Partial& partial) {
    if (!partial.prerelease.empty() && has_leading_zero(partial.prerelease)) {
      fail_conversion(Issue::kInvalidVersion,
                      {"Numeric pre-release identifiers MUST NOT contain leading zeroes"});
    }
    return arena_.make<SemVer>(partial.numbers[0], partial.numbers[1], partial.numbers[2],
                               split_parts(arena_, partial.prerelease, true),
                               split_parts(arena_, partial.build, false));
  }
  Interval from(const SemVer* min) { return {min, nullptr, false, false}; }
  Interval below(const SemVer* max) { return {nullptr, max, false, true}; }
  Interval between(const SemVer* min, const SemVer* max) { return {min, max, false, true}; }

  Interval read_simple(std::string_view text) {
    std::string_view comparison;
    for (const std::string_view candidate : {"<=", ">=", "~>", "~=", "<", ">", "=", "~", "^"}) {
      if (text.starts_with(candidate)) {
        comparison = candidate;
        break;
      }
    }
    Partial partial;
    if (!parse_partial(text.substr(comparison.size()), partial)) fail();
    if (comparison == "<") return below(version(partial));
    if (comparison == ">=") return from(version(partial));
    if (comparison == ">") return after(partial);
    if (comparison == "<=") return up_to(partial);
    if (comparison == "^") return caret(partial);
    return patches(partial, comparison.starts_with('~'));
  }

  Interval after(const Partial& partial) {
    if (!partial.given[0]) return nothing();
    if (!partial.given[1]) return from(version(partial.numbers[0] + 1, 0, 0));
    if (!partial.given[2]) return from(version(partial.numbers[0], partial.numbers[1] + 1, 0));
    return {version(partial), nullptr, true, false};
  }

  Interval up_to(const Partial& partial) {
    if (!partial.given[0]) return {nullptr, nullptr, false, false};
    if (!partial.given[1]) return below(version(partial.numbers[0] + 1, 0, 0));
    if (!partial.given[2]) return below(version(partial.numbers[0], partial.numbers[1] + 1, 0));
    return {nullptr, version(partial), false, false};
  }

  Interval caret(const Partial& partial) {
    if (!partial.given[0]) return {nullptr, nullptr, false, false};
    if (partial.numbers[0] == 0) return patches(partial, true);
    const SemVer* max = version(partial.numbers[0] + 1, 0, 0);
    if (!partial.given[1]) return between(version(partial.numbers[0], 0, 0), max);
    if (!partial.given[2]) return between(version(partial.numbers[0], partial.numbers[1], 0), max);
    Partial min = partial;
    if (min.prerelease.empty()) min.build = {};
    return between(version(min), max);
  }

  Interval patches(const Partial& partial, bool updates) {
    if (!partial.given[0]) return {nullptr, nullptr, false, false};
    const int64_t major = partial.numbers[0];
    const int64_t minor = partial.numbers[1];
    if (!partial.given[1]) return between(version(major, 0, 0), version(major + 1, 0, 0));
    if (!partial.given[2]) return between(version(major, minor, 0), version(major, minor + 1, 0));
    if (!updates) return exactly(version(partial));
    return between(version(partial), version(major, minor + 1, 0));
  }

  Arena& arena_;
  std::string_view whole_;
  bool is_empty_ = false;
};

bool is_single(const Interval& interval) {
  return interval.min && interval.max && !interval.exclude_min && !interval.exclude_max &&
         compare(*interval.min, *interval.max) == 0;
}

bool test_prerelease(const SemVer* bound, const SemVer& version) {
  return bound && !bound->prerelease.empty() && bound->major == version.major &&
         bound->minor == version.minor && bound->patch == version.patch;
}

void append_bound(std::string& out, std::string_view comparison, const SemVer& version) {
  out += comparison;
  append_text(out, version);
}

void append_text(std::string& out, const Interval& interval) {
  if (is_all(interval)) {
    out += '*';
  } else if (is_nothing(interval)) {
    out += "<0.0.0";
  } else if (is_single(interval)) {
    bunraku::append_text(out, *interval.min);
  } else {
    if (interval.min) append_bound(out, interval.exclude_min ? ">" : ">=", *interval.min);
    if (interval.min && interval.max) out += ' ';
    if (interval.max) append_bound(out, interval.exclude_max ? "<" : "<=", *interval.max);
  }
}

}  // namespace

const SemVerRange* parse_sem_ver_range(Arena& arena, std::string_view text) {
  RangeReader reader(arena, text);
  Intervals intervals = reader.read();
  return arena.make<SemVerRange>(reader.is_all() ? "*" : arena.copy(text),
                                 arena.copy(std::span<const Interval>(intervals)));
}

const SemVerRange* make_sem_ver_range(Arena& arena, const SemVer* min, const SemVer* max,
                                      bool exclude_max) {
  auto text_of = [](const SemVer* version, std::string_view absent) {
    if (version == &kLeast) return std::string("0.0.0-");
    std::string out;
    if (version) {
      append_text(out, *version);
    } else {
      out = absent;
    }
    return out;
  };
  // The reference's text has the bounds in the wrong order, and catalogs show it, so this one has
  // too.
  const std::string low = text_of(min, "0.0.0-");
  const std::string high = text_of(max, "Infinity.0.0");
  const std::string text = exclude_max ? ">=" + high + " <" + low : high + " - " + low;
  Intervals intervals;
  Interval interval;
  if (!min && !max) {
    intervals.push_back(bounded_whole());
  } else if (intersect({min, nullptr, false, false}, {nullptr, max, false, exclude_max},
                       interval)) {
    intervals.push_back(interval);
  } else {
    intervals.push_back(nothing());
  }
  return arena.make<SemVerRange>(arena.copy(text),
                                 arena.copy(std::span<const Interval>(intervals)));
}

namespace {

// Returns whether the bound is a version in the range.
bool holds(const Interval& interval, Bound bound) {
  if (is_all(interval)) return true;
  if (!contains(interval, bound)) return false;
  if (bound.rank() != 0) return true;
  const SemVer& version = *bound.version;
  return version.prerelease.empty() || test_prerelease(interval.min, version) ||
         test_prerelease(interval.max, version);
}

}  // namespace

const SemVerRange* merge_for_type(Arena& arena, const SemVerRange& a, const SemVerRange& b) {
  if (a.alternatives.size() != 1 || b.alternatives.size() != 1) return nullptr;
  const Interval& x = a.alternatives.front();
  const Interval& y = b.alternatives.front();
  if (holds(x, begin_of(y)) || holds(y, begin_of(x))) {
    const SemVer* min = compare(begin_of(x), begin_of(y)) <= 0 ? x.min : y.min;
    const int order = compare(end_of(x), end_of(y));
    const bool excludes =
        x.exclude_max ? order > 0 || (order == 0 && y.exclude_max) : y.exclude_max && order < 0;
    return make_sem_ver_range(arena, min, order >= 0 ? x.max : y.max, excludes);
  }
  if (x.exclude_max && compare(end_of(x), begin_of(y)) == 0) {
    return make_sem_ver_range(arena, x.min, y.max, y.exclude_max);
  }
  if (y.exclude_max && compare(end_of(y), begin_of(x)) == 0) {
    return make_sem_ver_range(arena, y.min, x.max, x.exclude_max);
  }
  return nullptr;
}

bool includes(const SemVerRange& range, const SemVer& version) {
  for (const Interval& interval : range.alternatives) {
    if (is_all(interval)) return true;
    if (is_nothing(interval)) continue;
    // A range of one version contains exactly that, including the build.
    if (is_single(interval) && !same(version, *interval.min)) continue;
    if (interval.min) {
      const int found = compare(version, *interval.min);
      if (found < 0 || (found == 0 && interval.exclude_min)) continue;
    }
    if (interval.max) {
      const int found = compare(version, *interval.max);
      if (found > 0 || (found == 0 && interval.exclude_max)) continue;
    }
    if (version.prerelease.empty() || test_prerelease(interval.min, version) ||
        test_prerelease(interval.max, version)) {
      return true;
    }
  }
  return false;
}

bool same(const SemVerRange& a, const SemVerRange& b) {
  return std::ranges::equal(a.alternatives, b.alternatives,

                            [](const Interval& x, const Interval& y) { return same(x, y); });
}

void append_normal_text(std::string& out, const SemVerRange& range) {
  bool first = true;
  for (const Interval& interval : range.alternatives) {
    if (!first) out += " || ";
    first = false;
    append_text(out, interval);
  }
}

// --- versioncmp ---------------------------------------------------------------------------------

namespace {

// Removes the next run of digits, dash, dot, or of other characters.
std::string_view take_version_token(std::string_view& text) {
  size_t end = 1;
  auto kind = [](char c) { return is_digit(c) ? 1 : c == '-' || c == '.' ? 2 : 3; };
  const int first = kind(text[0]);
  while (first != 2 && end < text.size() && kind(text[end]) == first) end++;
  const std::string_view token = text.substr(0, end);
  text.remove_prefix(end);
  return token;
}

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

int compare_upper(std::string_view a, std::string_view b) {
  const size_t shared = std::min(a.size(), b.size());
  for (size_t i = 0; i < shared; i++) {
    auto x = static_cast<unsigned char>(upper(a[i]));
    auto y = static_cast<unsigned char>(upper(b[i]));
    if (x != y) return x < y ? -1 : 1;
  }
  return order(a.size(), b.size());
}

int compare_tokens(std::string_view a, std::string_view b) {
  for (const std::string_view separator : {"-", "."}) {
    if (a == separator) return -1;
    if (b == separator) return 1;
  }
  if (is_number(a) && is_number(b) && a[0] != '0' && b[0] != '0') {
    if (a.size() != b.size()) return order(a.size(), b.size());
    return order(a, b);
  }
  return compare_upper(a, b);
}

// Removes dots and zeros at the end of the part before the first dash.
std::string without_trailing_zeroes(std::string_view version) {
  const size_t dash = std::min(version.find('-'), version.size());
  std::string_view first = version.substr(0, dash);
  while (!first.empty() && (first.back() == '0' || first.back() == '.')) first.remove_suffix(1);
  std::string_view rest = version.substr(dash);
  while (rest.ends_with('-')) rest.remove_suffix(1);
  return std::string(first) + std::string(rest);
}

}  // namespace

int compare_version_texts(std::string_view a, std::string_view b, bool ignore_trailing_zeroes) {
  std::string normal_a;
  std::string normal_b;
  if (ignore_trailing_zeroes) {
    a = normal_a = without_trailing_zeroes(a);
    b = normal_b = without_trailing_zeroes(b);
  }
  std::string_view rest_a = a;
  std::string_view rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    const std::string_view token_a = take_version_token(rest_a);
    const std::string_view token_b = take_version_token(rest_b);
    if (token_a != token_b) return compare_tokens(token_a, token_b);
  }
  return order(a, b);
}

}  // namespace bunraku
