// Recognises a diagnostic by the fixed parts of its message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// The fixed parts of a message, between its arguments.
inline std::vector<std::string> fixed_parts(std::string_view message) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < message.size(); ++i) {
    const bool is_argument = message[i] == '{' && i + 2 < message.size() && message[i + 2] == '}' &&
                             message[i + 1] >= '0' && message[i + 1] <= '9';
    const bool is_cause = message.substr(i).starts_with("{cause");
    if (is_argument || is_cause) {
      parts.emplace_back();
      i = message.find('}', i);
    } else {
      parts.back() += message[i];
    }
  }
  return parts;
}

// Returns whether the line contains the parts in order.
inline bool shows(std::string_view line, const std::vector<std::string>& parts) {
  size_t at = 0;
  for (const std::string& part : parts) {
    at = line.find(part, at);
    if (at == std::string_view::npos) return false;
    at += part.size();
  }
  return true;
}

}  // namespace bunraku
