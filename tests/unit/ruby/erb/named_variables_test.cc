#include "ruby/erb/named_variables.h"

#include <doctest/doctest.h>

#include <string>

using namespace bunraku;
using namespace bunraku::erb;

namespace {

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : " ").append(name);
  return text;
}

std::string looked_up(std::string_view text) {
  return joined(find_named_variables(text).looked_up);
}

}  // namespace

TEST_CASE("Names that are written down as a whole are found") {
  CHECK(looked_up("<%= scope['a'] %> <%= scope[\"::b::c\"] %> <%= scope[ 'd' ] %>") ==
        "a ::b::c d");
  CHECK(looked_up("<%= scope.lookupvar('a') %><%= scope.lookupvar 'b' %>") == "a b");
  CHECK(looked_up("has_variable?('a') has_variable? \"b\" scope.include?('c') scope.exist?('d')") ==
        "c d a b");
  CHECK(looked_up("scope['a'] scope['a'] scope.lookupvar('a')") == "a");
}

TEST_CASE("Others are not") {
  CHECK(looked_up("scope[\"a#{b}\"] scope[name] scope['a' + b]") == "a");
  CHECK(looked_up("scope['1'] scope['0'] scope[''] scope['a b'] scope['\\'']") == "");
  CHECK(looked_up("scope['a scope.lookupvar scope.lookupvar( scope[ scope") == "");
  CHECK(looked_up("scope.lookupvar2('a') scope.call_function('a', [])") == "");
}

TEST_CASE("Instance variables are found, unless they may be looked at by other means") {
  CHECK(joined(*find_named_variables("<%= @a %><%= @b_1.c(@a) %> me@example @ @@d").instance) ==
        "a b_1 example d");
  CHECK_FALSE(find_named_variables("<%= instance_variable_get('@a') %>").instance);
  CHECK_FALSE(find_named_variables("<%= eval('@a') %>").instance);
}
