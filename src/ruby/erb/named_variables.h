// The variables that a template names, found by searching its text. They are sent to the worker
// with the template, so that it need not ask for each.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace bunraku::erb {

// The names are views into the text.
struct NamedVariables {
  // The names of @name, without the @; no value when the code may read instance variables by other
  // means.
  std::optional<std::vector<std::string_view>> instance;
  // The names in scope['name'], scope.lookupvar('name'), has_variable?('name') and the like, where
  // the name is a literal. Names that are computed are requested at run time.
  std::vector<std::string_view> looked_up;
};

NamedVariables find_named_variables(std::string_view text);

}  // namespace bunraku::erb
