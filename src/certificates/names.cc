// Validation of host names.
#include "certificates/names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

namespace bunraku::certificates {
namespace {

constexpr size_t kLongestName = 255;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool is_segment(std::string_view segment) {
  return !segment.empty() && !segment.ends_with('-') &&
         std::ranges::all_of(segment, is_name_character);
}

}  // namespace

std::string name_problem(std::string_view name) {
  if (std::ranges::any_of(name, [](char c) { return c >= 'A' && c <= 'Z'; })) {
    return "Certificate names must be lower case.";
  }
  if (name.find('*') != std::string_view::npos) {
    return "Subject contains a wildcard, which is not allowed: " + std::string(name);
  }
  const bool has_good_start = !name.empty() && name.front() != '-' && name.front() != '.';
  bool is_good = has_good_start && name.size() <= kLongestName;
  for (std::string_view rest = name; is_good;) {
    const size_t dot = rest.find('.');
    is_good = is_segment(rest.substr(0, dot));
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  return is_good ? "" : "Subject hostname format is invalid";
}

bool is_alternative_name(std::string_view text) {
  if (text.starts_with("IP:")) {
    std::array<unsigned char, 16> address{};
    const std::string digits(text.substr(3));
    return inet_pton(AF_INET, digits.c_str(), address.data()) == 1 ||
           inet_pton(AF_INET6, digits.c_str(), address.data()) == 1;
  }
  if (text.starts_with("DNS:")) text.remove_prefix(4);
  return !text.empty() && text.size() <= kLongestName && std::ranges::all_of(text, [](char c) {
    return is_name_character(c) || (c >= 'A' && c <= 'Z') || c == '.';
  });
}

}  // namespace bunraku::certificates
