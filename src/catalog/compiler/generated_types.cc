#include "catalog/compiler/generated_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/regex/regex.h"

namespace bunraku {
namespace {

bool contains(const std::vector<Name>& names, Name name) {
  return std::ranges::find(names, name) != names.end();
}

void append_attributes(std::string& text, const std::vector<Name>& attributes,
                       const NativeType& type) {
  text += "  [\n";
  for (const Name name : attributes) {
    text += fmt::format("    Puppet::Resource::Param(Any, '{}'{}){}\n", name.text(),
                        contains(type.key_attributes, name) ? ", true" : "",
                        name == attributes.back() ? "" : ",\n");
  }
  text += "  ],\n";
}

// Escapes slashes for a literal between slashes.
std::string between_slashes(std::string_view pattern) {
  std::string text;
  bool is_escaped = false;
  for (const char c : pattern) {
    if (c == '/' && !is_escaped) text += '\\';
    text += c;
    is_escaped = c == '\\' && !is_escaped;
  }
  return text;
}

}  // namespace

std::string generated_text(const NativeType& type) {
  std::string text = fmt::format(
      "# What a compilation needs of a resource type in Ruby. Written by 'generate types'.\n\n"
      "Puppet::Resource::ResourceType3.new(\n  '{}',\n",
      type.name.text());
  append_attributes(text, type.properties, type);
  append_attributes(text, type.parameters, type);
  text += "  {\n";
  for (size_t i = 0; i < type.title_patterns.size(); ++i) {
    const TitlePattern& pattern = type.title_patterns[i];
    const std::string_view source =
        pattern.pattern == nullptr ? "(?m-ix:(.*))" : pattern.pattern->source();
    std::string captures;
    for (const Name name : pattern.captures) {
      captures += fmt::format("{}'{}'", captures.empty() ? "" : ", ", name.text());
    }
    text += fmt::format("    /{}/ => [{}]{}\n", between_slashes(source), captures,
                        i + 1 < type.title_patterns.size() ? "," : "");
  }
  text += fmt::format("  }},\n  {},\n  false)\n", type.is_isomorphic);
  return text;
}

namespace {

std::string_view text_of(const Expression& expression) {
  const auto* literal = expression.try_as<LiteralString>();
  return literal == nullptr ? std::string_view() : literal->value;
}

bool is_true(const Expression& expression) {
  const auto* literal = expression.try_as<LiteralBoolean>();
  return literal != nullptr && literal->value;
}

// Reads [Puppet::Resource::Param(Type, 'name', is_namevar), ...].
bool read_attributes(const Expression& expression, std::vector<Name>& names,
                     std::vector<Name>* keys) {
  const auto* list = expression.try_as<LiteralList>();
  if (list == nullptr) return false;
  for (const Expression* item : list->values) {
    const auto* call = item->try_as<CallNamedFunctionExpression>();
    if (call == nullptr || call->arguments.size() < 2) return false;
    const Name name(text_of(*call->arguments[1]));
    if (name.text().empty()) return false;
    names.push_back(name);
    const bool is_key = call->arguments.size() > 2 && is_true(*call->arguments[2]);
    if (is_key && keys != nullptr) keys->push_back(name);
  }
  return true;
}

bool read_patterns(const Expression& expression, std::vector<TitlePattern>& patterns) {
  const auto* hash = expression.try_as<LiteralHash>();
  if (hash == nullptr) return false;
  for (const KeyedEntry* entry : hash->entries) {
    const auto* pattern = entry->key->try_as<LiteralRegularExpression>();
    const auto* captures = entry->value->try_as<LiteralList>();
    if (pattern == nullptr || captures == nullptr) return false;
    TitlePattern read{};
    for (const Expression* name : captures->values) read.captures.emplace_back(text_of(*name));
    const bool is_whole = pattern->pattern == "(?m-ix:(.*))" && read.captures.size() == 1;
    if (!is_whole) {
      try {
        read.pattern = Regex::compile(pattern->pattern);
      } catch (const RegexError&) {
        return false;
      }
    }
    patterns.push_back(std::move(read));
  }
  return true;
}

}  // namespace

bool read_generated(const Program& program, NativeType& type) {
  const auto* call = program.body->try_as<CallMethodExpression>();
  if (call == nullptr || call->arguments.size() < 3) return false;
  if (!read_attributes(*call->arguments[1], type.properties, nullptr) ||
      !read_attributes(*call->arguments[2], type.parameters, &type.key_attributes)) {
    return false;
  }
  // The reference marks only attributes that the type declares as namevar; `name` is one without a
  // mark.
  static const Name kName("name");
  if (type.key_attributes.empty() && contains(type.parameters, kName)) {
    type.key_attributes.push_back(kName);
  }
  if (call->arguments.size() > 3 && !read_patterns(*call->arguments[3], type.title_patterns)) {
    return false;
  }
  if (type.title_patterns.empty() && type.key_attributes.size() == 1) {
    type.title_patterns.push_back({nullptr, type.key_attributes});
  }
  type.is_isomorphic = call->arguments.size() < 5 || is_true(*call->arguments[4]);
  return true;
}

}  // namespace bunraku
