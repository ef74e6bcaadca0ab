// Shared code of native functions of modules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text/ascii.h"
#include "evaluation/function.h"

namespace bunraku::modules {

// The module's own Ruby definition of a function.
struct OwnRuby {
  std::string_view module;
  std::string_view function;  // with the module's name if it has one
  bool is_legacy = false;     // written for the older interface
};

// Calls the module's own Ruby code with the same arguments, for the few that native code does not
// handle. Throws EvaluationError, also without Ruby.
Value call_own_ruby(Call& call, const OwnRuby& own);

// Logs at level debug, as Ruby code of modules does.
void log_debug(const Call& call, std::string message);

// Ruby's `to_s` of the value.
std::string text_of(Value value);

// The value, or the content of a Sensitive.
inline Value unwrapped(Value value) {
  return value.is_sensitive() ? value.as_sensitive() : value;
}

// The value of a fact, such as {"os", "family"}; undef when it does not exist.
Value fact(Call& call, std::initializer_list<std::string_view> path);

// Returns whether the text has only letters, digits and the given characters.
bool consists_of(std::string_view text, std::string_view others);
// Parses a number of at most nine digits without leading zero, which would be octal in Ruby.
std::optional<int64_t> plain_number(std::string_view text);

}  // namespace bunraku::modules
