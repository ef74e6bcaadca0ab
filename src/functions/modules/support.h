// What native functions of modules share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku::modules {

// Ruby code of a module that defines a function.
struct OwnRuby {
  std::string_view module;
  std::string_view function;  // with the module's name where it has one
  bool is_legacy = false;     // written for the older interface
};

// What the module's own code makes of the same arguments: for the few that are left to it. Throws
// EvaluationError, also when there is no Ruby.
Value call_own_ruby(Call& call, const OwnRuby& own);

// A record of the level debug, as Ruby code of modules writes it.
void log_debug(const Call& call, std::string message);

// The value as Ruby's `to_s` gives it.
std::string text_of(Value value);

// The value, or what is within it where it is Sensitive.
inline Value unwrapped(Value value) {
  return value.is_sensitive() ? value.as_sensitive() : value;
}

// The value of a fact, such as {"os", "family"}; undef when there is none.
Value fact(Call& call, std::initializer_list<std::string_view> path);

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// Does the text consist of letters, digits and the other characters given?
bool consists_of(std::string_view text, std::string_view others);
// A number of at most nine digits, none of them a zero at the start, which Ruby takes for octal.
std::optional<int64_t> plain_number(std::string_view text);

}  // namespace bunraku::modules
