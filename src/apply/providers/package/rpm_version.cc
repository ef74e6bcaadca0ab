// Comparing versions of RPM packages.
#include "apply/providers/package/rpm_version.h"

#include <algorithm>
#include <optional>

#include "base/text/ascii.h"

namespace bunraku::apply {
namespace {

constexpr std::string_view kArchitectures[] = {
    "noarch", "i386",    "i686",     "ppc",       "ppc64",  "armv3l", "armv4b",
    "armv4l", "armv4tl", "armv5tel", "armv5tejl", "armv6l", "armv7l", "m68kmint",
    "s390",   "s390x",   "ia64",     "x86_64",    "sh3",    "sh4"};

void skip_separators(std::string_view& text) {
  while (!text.empty() && !is_digit(text[0]) && !is_letter(text[0]) && text[0] != '~') {
    text.remove_prefix(1);
  }
}

// Removes and returns the leading characters that `belongs` accepts.
std::string_view take(std::string_view& text, bool (*belongs)(char)) {
  size_t size = 0;
  while (size < text.size() && belongs(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

struct Version {
  std::optional<std::string_view> epoch;
  std::string_view version;
  std::optional<std::string_view> release;
};

Version parse(std::string_view text) {
  Version parts;
  if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view epoch = text.substr(0, colon);
    if (!epoch.empty() && std::ranges::all_of(epoch, is_digit)) parts.epoch = epoch;
    text.remove_prefix(colon + 1);
  }
  const size_t dash = text.find('-');
  parts.version = text.substr(0, dash);
  if (dash == std::string_view::npos) return parts;
  std::string_view release = text.substr(dash + 1);
  const size_t dot = release.rfind('.');
  if (dot != std::string_view::npos &&
      std::ranges::find(kArchitectures, release.substr(dot + 1)) != std::end(kArchitectures)) {
    release = release.substr(0, dot);
  }
  parts.release = release;
  return parts;
}

int compare_optional(const std::optional<std::string_view>& a,
                     const std::optional<std::string_view>& b) {
  if (!a || !b) return static_cast<int>(a.has_value()) - static_cast<int>(b.has_value());
  return compare_rpm_parts(*a, *b);
}

}  // namespace

int compare_rpm_parts(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    skip_separators(a);
    skip_separators(b);
    const bool is_a_earlier = a.starts_with('~');
    const bool is_b_earlier = b.starts_with('~');
    if (is_a_earlier && is_b_earlier) {
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    if (is_a_earlier || is_b_earlier) return is_a_earlier ? -1 : 1;
    if (a.empty() || b.empty()) break;
    const bool are_numbers = is_digit(a[0]);
    std::string_view one = take(a, are_numbers ? is_digit : is_letter);
    std::string_view other = take(b, are_numbers ? is_digit : is_letter);
    if (other.empty()) return are_numbers ? 1 : -1;
    if (are_numbers) {
      while (one.starts_with('0')) one.remove_prefix(1);
      while (other.starts_with('0')) other.remove_prefix(1);
      if (one.size() != other.size()) return one.size() > other.size() ? 1 : -1;
    }
    if (const int order = one.compare(other); order != 0) return order;
  }
  if (a.size() == b.size()) return 0;
  return a.size() > b.size() ? 1 : -1;
}

int compare_rpm_versions(std::string_view wanted, std::string_view installed) {
  const Version should = parse(wanted);
  const Version is = parse(installed);
  if (should.epoch) {
    if (const int order = compare_optional(should.epoch, is.epoch); order != 0) return order;
  }
  if (const int order = compare_rpm_parts(should.version, is.version); order != 0) return order;
  return should.release ? compare_optional(should.release, is.release) : 0;
}

int compare_rpm_with_bound(std::string_view version, std::string_view bound) {
  const Version is = parse(version);
  const Version limit = parse(bound);
  int order = compare_rpm_parts(is.epoch.value_or("0"), limit.epoch.value_or("0"));
  if (order == 0) order = compare_rpm_parts(is.version, limit.version);
  if (order != 0 || !is.release) return order;
  return compare_optional(is.release, limit.release);
}

std::string with_architecture_at_end(const std::string& package) {
  for (const std::string_view architecture : kArchitectures) {
    const std::string part = "." + std::string(architecture) + "-";
    const size_t at = package.find(part);
    if (at == std::string::npos) continue;
    return package.substr(0, at) + package.substr(at + part.size() - 1) + "." +
           std::string(architecture);
  }
  return package;
}

}  // namespace bunraku::apply
