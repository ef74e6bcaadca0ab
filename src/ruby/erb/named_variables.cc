#include "ruby/erb/named_variables.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace bunraku::erb {

namespace {

size_t word_length(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_word_character) - text.begin());
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

bool skip(std::string_view& text, std::string_view start) {
  if (!text.starts_with(start)) return false;
  text.remove_prefix(start.size());
  return true;
}

// The quoted name at the start of the text; empty when the name is computed at run time.
std::string_view quoted_name(std::string_view text) {
  skip_blanks(text);
  if (text.empty() || (text[0] != '\'' && text[0] != '"')) return {};
  const size_t end = text.find(text[0], 1);
  if (end == text.npos) return {};
  const std::string_view name = text.substr(1, end - 1);
  const bool is_plain =
      std::ranges::all_of(name, [](char c) { return is_word_character(c) || c == ':'; });
  const bool is_match = name.find_first_not_of("0123456789") == name.npos;
  return is_plain && !is_match ? name : std::string_view();
}

// The quoted name in the text after a method's name: "('name'", " 'name'".
std::string_view argument_name(std::string_view text) {
  if (!skip(text, "(") && !text.starts_with(' ')) return {};
  return quoted_name(text);
}

// The quoted name in the text after "scope".
std::string_view name_in_scope(std::string_view text) {
  if (skip(text, "[")) return quoted_name(text);
  for (const std::string_view method : {".lookupvar", ".include?", ".exist?"}) {
    if (skip(text, method)) return argument_name(text);
  }
  return {};
}

template <typename NameAfter>
void add_names(std::vector<std::string_view>& names, std::string_view text, std::string_view word,
               NameAfter name_after) {
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) {
    const std::string_view name = name_after(text.substr(at + word.size()));
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
}

}  // namespace

NamedVariables find_named_variables(std::string_view text) {
  NamedVariables result;
  add_names(result.looked_up, text, "scope", name_in_scope);
  add_names(result.looked_up, text, "has_variable?", argument_name);
  for (const std::string_view word :
       {"instance_variable", "binding", "eval", "send", "self", "method"}) {
    if (text.find(word) != text.npos) return result;
  }
  result.instance.emplace();
  add_names(*result.instance, text, "@",
            [](std::string_view rest) { return rest.substr(0, word_length(rest)); });
  return result;
}

}  // namespace bunraku::erb
