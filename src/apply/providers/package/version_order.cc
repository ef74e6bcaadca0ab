// The orders of versions of Debian, RPM, RubyGems and Python (PEP 440).
#include <algorithm>
#include <array>
#include <span>

#include "apply/providers/package/rpm_version.h"
#include "apply/providers/package/version_range.h"
#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

bool matches(const Regex& pattern, std::string_view text) {
  return is_valid_utf8(text) && pattern.matches(text);
}

// Compares digits of any length as numbers; an empty text is 0.
int compare_numbers(std::string_view a, std::string_view b) {
  while (a.starts_with('0')) a.remove_prefix(1);
  while (b.starts_with('0')) b.remove_prefix(1);
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::string_view take_digits(std::string_view& text) {
  size_t size = 0;
  while (size < text.size() && is_digit(text[size])) ++size;
  const std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

class DebianVersions final : public VersionOrder {
 public:
  bool is_version(std::string_view text) const override {
    static const Regex* pattern = Regex::compile("\\A(?:[0-9]+:)?[.+~0-9a-zA-Z-]+\\z");
    return matches(*pattern, text);
  }
  int compare(std::string_view a, std::string_view b) const override {
    const Parts one = split(a), other = split(b);
    if (const int order = compare_numbers(one.epoch, other.epoch); order != 0) return order;
    if (const int order = compare_parts(one.upstream, other.upstream); order != 0) return order;
    return compare_parts(one.revision, other.revision);
  }

 private:
  struct Parts {
    std::string_view epoch, upstream, revision;
  };
  static Parts split(std::string_view text) {
    Parts parts;
    if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
      parts.epoch = text.substr(0, colon);
      text.remove_prefix(colon + 1);
    }
    const size_t dash = text.rfind('-');
    parts.upstream = text.substr(0, dash);
    if (dash != std::string_view::npos) parts.revision = text.substr(dash + 1);
    return parts;
  }
  // A tilde sorts before the end of the text, the end before letters, letters before all else.
  static int rank(std::string_view text) {
    if (text.empty() || is_digit(text[0])) return 0;
    if (text[0] == '~') return -1;
    return is_letter(text[0]) ? text[0] : text[0] + 256;
  }
  static int compare_parts(std::string_view a, std::string_view b) {
    while (!a.empty() || !b.empty()) {
      while ((!a.empty() && !is_digit(a[0])) || (!b.empty() && !is_digit(b[0]))) {
        if (const int order = rank(a) - rank(b); order != 0) return order;
        a.remove_prefix(std::min<size_t>(1, a.size()));
        b.remove_prefix(std::min<size_t>(1, b.size()));
      }
      const std::string_view one = take_digits(a), other = take_digits(b);
      if (const int order = compare_numbers(one, other); order != 0) return order;
    }
    return 0;
  }
};

class RpmVersions final : public VersionOrder {
 public:
  bool is_version(std::string_view text) const override { return !text.empty(); }
  int compare(std::string_view version, std::string_view bound) const override {
    return compare_rpm_with_bound(version, bound);
  }
};

constexpr std::string_view kGemVersion =
    "[0-9]+(?:\\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?";

// Splits a version into numbers and words; a dash means ".pre.".
std::vector<std::string> gem_segments(std::string_view text) {
  std::vector<std::string> segments;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '-') segments.emplace_back("pre");
    size_t end = at;
    if (is_digit(text[at])) {
      while (end < text.size() && is_digit(text[end])) ++end;
    } else {
      while (end < text.size() && is_letter(text[end])) ++end;
    }
    if (end > at) segments.emplace_back(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return segments;
}

bool is_number(const std::string& segment) {
  return is_digit(segment.front());
}

// Drops trailing zeros of the numbers before the first word, and of the segments after it.
std::vector<std::string> canonical(const std::vector<std::string>& segments) {
  const auto word = std::ranges::find_if_not(segments, is_number);
  std::vector<std::string> all(segments.begin(), word);
  const auto drop_zeros = [&](size_t from) {
    while (all.size() > from && is_number(all.back()) && compare_numbers(all.back(), "0") == 0) {
      all.pop_back();
    }
  };
  drop_zeros(0);
  const size_t count = all.size();
  all.insert(all.end(), word, segments.end());
  drop_zeros(count);
  return all;
}

class GemVersions final : public VersionOrder {
 public:
  bool is_version(std::string_view text) const override {
    static const Regex* pattern =
        Regex::compile("\\A\\s*(?:" + std::string(kGemVersion) + ")?\\s*\\z");
    return matches(*pattern, text);
  }
  int compare(std::string_view a, std::string_view b) const override {
    const std::vector<std::string> one = canonical(gem_segments(a));
    const std::vector<std::string> other = canonical(gem_segments(b));
    static const std::string kZero = "0";
    for (size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
      const std::string& left = i < one.size() ? one[i] : kZero;
      const std::string& right = i < other.size() ? other[i] : kZero;
      if (is_number(left) != is_number(right)) return is_number(left) ? 1 : -1;
      const int order = is_number(left) ? compare_numbers(left, right) : left.compare(right);
      if (order != 0) return order;
    }
    return 0;
  }
};

// The parts of a Python version, in order of significance.
struct PipVersion {
  std::string epoch;
  std::vector<std::string> release;
  std::string pre_word, pre_number;  // a, b or rc
  bool has_post = false;
  std::string post_number;
  bool has_dev = false;
  std::string dev_number;
  std::vector<std::string> local;
};

std::vector<std::string> split_at(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(separators), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<PipVersion> parse_pip(std::string_view text) {
  static const Regex* pattern = Regex::compile(
      "(?i)\\A\\s*v?(?:([0-9]+)!)?([0-9]+(?:\\.[0-9]+)*)"
      "(?:[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?([0-9]+)?)?"
      "((?:-([0-9]+))|(?:[-_.]?(?:post|rev|r)[-_.]?([0-9]+)?))?"
      "([-_.]?dev[-_.]?([0-9]+)?)?(?:\\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\\s*\\z");
  Captures found;
  if (!is_valid_utf8(text) || !pattern->search(text, 0, found)) return std::nullopt;
  PipVersion version;
  version.epoch = found.text(text, 1);
  version.release = split_at(found.text(text, 2), ".");
  while (!version.release.empty() && compare_numbers(version.release.back(), "0") == 0) {
    version.release.pop_back();
  }
  if (found.matched(3)) {
    const std::string word = downcase(found.text(text, 3));
    version.pre_word = word.starts_with('a') ? "a" : word.starts_with('b') ? "b" : "rc";
    version.pre_number = found.text(text, 4);
  }
  version.has_post = found.matched(5);
  version.post_number = found.matched(6) ? found.text(text, 6) : found.text(text, 7);
  version.has_dev = found.matched(8);
  version.dev_number = found.text(text, 9);
  version.local = split_at(downcase(found.text(text, 10)), "-_.");
  return version;
}

// A pre-release sorts before its release, and a development version before both.
int rank_before_release(const PipVersion& version) {
  if (!version.pre_word.empty()) return 0;
  return version.has_dev && !version.has_post ? -1 : 1;
}

int compare_local(std::span<const std::string> a, std::span<const std::string> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const bool is_a_number = std::ranges::all_of(a[i], is_digit);
    const bool is_b_number = std::ranges::all_of(b[i], is_digit);
    if (is_a_number != is_b_number) return is_a_number ? 1 : -1;
    const int order = is_a_number ? compare_numbers(a[i], b[i]) : a[i].compare(b[i]);
    if (order != 0) return order;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

class PipVersions final : public VersionOrder {
 public:
  bool is_version(std::string_view text) const override { return parse_pip(text).has_value(); }
  int compare(std::string_view a, std::string_view b) const override {
    const PipVersion one = *parse_pip(a), other = *parse_pip(b);
    if (const int order = compare_numbers(one.epoch, other.epoch); order != 0) return order;
    for (size_t i = 0; i < std::max(one.release.size(), other.release.size()); ++i) {
      const int order = compare_numbers(i < one.release.size() ? one.release[i] : "",
                                        i < other.release.size() ? other.release[i] : "");
      if (order != 0) return order;
    }
    const std::array orders = {rank_before_release(one) - rank_before_release(other),
                               one.pre_word.compare(other.pre_word),
                               compare_numbers(one.pre_number, other.pre_number),
                               one.has_post - other.has_post,
                               compare_numbers(one.post_number, other.post_number),
                               other.has_dev - one.has_dev,
                               compare_numbers(one.dev_number, other.dev_number),
                               compare_local(one.local, other.local)};
    const auto* const found = std::ranges::find_if(orders, [](int order) { return order != 0; });
    return found == orders.end() ? 0 : *found;
  }
};

// The upper bound of "~> 1.2.3", which means at least 1.2.3 and less than 1.3.
std::string next_after(std::string_view version) {
  std::vector<std::string> segments = gem_segments(version);
  segments.erase(std::ranges::find_if_not(segments, is_number), segments.end());
  if (segments.size() > 1) segments.pop_back();
  std::string next;
  for (size_t i = 0; i < segments.size(); ++i) {
    if (i > 0) next += '.';
    if (i + 1 < segments.size()) {
      next += segments[i];
      continue;
    }
    std::string digits = segments[i];
    size_t at = digits.size();
    while (at > 0 && digits[at - 1] == '9') digits[--at] = '0';
    if (at == 0) {
      digits.insert(digits.begin(), '1');
    } else {
      ++digits[at - 1];
    }
    next += digits;
  }
  return next;
}

}  // namespace

const VersionOrder& debian_versions() {
  static const DebianVersions versions;
  return versions;
}

const VersionOrder& rpm_versions() {
  static const RpmVersions versions;
  return versions;
}

const VersionOrder& gem_versions() {
  static const GemVersions versions;
  return versions;
}

const VersionOrder& pip_versions() {
  static const PipVersions versions;
  return versions;
}

std::optional<bool> meets_gem_requirement(std::string_view requirement, std::string_view version) {
  static const Regex* pattern =
      Regex::compile("\\A\\s*(=|!=|>=|<=|~>|>|<)?\\s*(" + std::string(kGemVersion) + ")\\s*\\z");
  bool is_met = true;
  for (const std::string& part : split_at(requirement, ",")) {
    Captures found;
    if (!is_valid_utf8(part) || !pattern->search(part, 0, found)) return std::nullopt;
    const std::string_view operation = found.text(part, 1);
    const std::string_view bound = found.text(part, 2);
    const int order = gem_versions().compare(version, bound);
    if (operation == "!=") {
      is_met = is_met && order != 0;
    } else if (operation == ">") {
      is_met = is_met && order > 0;
    } else if (operation == "<") {
      is_met = is_met && order < 0;
    } else if (operation == ">=") {
      is_met = is_met && order >= 0;
    } else if (operation == "<=") {
      is_met = is_met && order <= 0;
    } else if (operation == "~>") {
      is_met = is_met && order >= 0 && gem_versions().compare(version, next_after(bound)) < 0;
    } else {
      is_met = is_met && order == 0;
    }
  }
  return is_met;
}

}  // namespace bunraku::apply
