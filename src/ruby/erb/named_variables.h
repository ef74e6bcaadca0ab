// The variables that a template names, found by reading its text: what Ruby is given before it
// asks.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace bunraku::erb {

// Views into the text.
struct NamedVariables {
  // @name, without the @; nothing when the code may look at instance variables by other means.
  std::optional<std::vector<std::string_view>> instance;
  // scope['name'], scope.lookupvar('name'), has_variable?('name') and the like: those that are
  // written down as a whole. Others are asked for.
  std::vector<std::string_view> looked_up;
};

NamedVariables find_named_variables(std::string_view text);

}  // namespace bunraku::erb
