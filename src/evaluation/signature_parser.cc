// Parses the signatures of native functions.
#include "evaluation/signature_parser.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/text/ascii.h"
#include "types/built_in_types.h"

namespace bunraku {

namespace {

[[noreturn]] void fail_signature(std::string_view text, std::string_view why) {
  std::fprintf(stderr, "bunraku: bad signature of a native function: %.*s (%.*s)\n",
               static_cast<int>(text.size()), text.data(), static_cast<int>(why.size()),
               why.data());
  std::abort();
}

// The offset of the first `wanted` outside of brackets and quotes; npos when there is none.
size_t find_outside(std::string_view text, std::string_view wanted) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
      if (c == '\\') ++i;  // in a regular expression
      continue;
    }
    if (depth == 0 && text.substr(i).starts_with(wanted)) return i;
    if (c == '\'' || c == '"' || (c == '/' && wanted != "/")) quote = c;
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
  }
  return std::string_view::npos;
}

}  // namespace

SignatureParser::SignatureParser(Arena& arena, std::string_view local_types) : arena_(arena) {
  struct Definition {
    TypeAliasType* alias;
    std::string_view text;
  };
  std::vector<Definition> definitions;
  while (!local_types.empty()) {
    const size_t end = std::min(local_types.find('\n'), local_types.size());
    const std::string_view line = trimmed(local_types.substr(0, end));
    local_types.remove_prefix(std::min(end + 1, local_types.size()));
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) fail_signature(line, "no = in a local type");
    auto* alias = arena_.make<TypeAliasType>();
    alias->kind = TypeKind::kTypeAlias;
    alias->name = arena_.copy(trimmed(line.substr(0, equals)));
    alias->resolved = nullptr;
    alias->expression = nullptr;
    const std::string_view text = trimmed(line.substr(equals + 1));
    alias->is_recursive = text.find(alias->name) != std::string_view::npos;
    auto* local = arena_.make<LocalType>();
    *local = {alias->name, alias, local_types_};
    local_types_ = local;
    definitions.push_back({alias, text});
  }
  for (const Definition& definition : definitions) {
    definition.alias->resolved = parse_type_text(definition.text);
  }
}

const Type* SignatureParser::find_type(std::string_view name) {
  for (const LocalType* local = local_types_; local != nullptr; local = local->next) {
    if (local->name == name) return local->alias;
  }
  return nullptr;
}

const Type* SignatureParser::parse_type_text(std::string_view text) {
  try {
    return parse_type(arena_, text, this);
  } catch (const EvaluationError& error) {
    fail_signature(text, error.what());
  }
}

SignatureParser::ParsedParameter SignatureParser::parse_parameter(std::string_view text) {
  ParsedParameter parsed;
  const size_t equals = find_outside(text, "=");
  if (equals != std::string_view::npos) {
    parsed.has_default = true;
    text = trimmed(text.substr(0, equals));
  }
  const size_t dollar = text.rfind('$');
  if (dollar == std::string_view::npos) fail_signature(text, "no $ in a parameter");
  const std::string_view name = text.substr(dollar + 1);
  std::string_view type = trimmed(text.substr(0, dollar));
  while (!type.empty() && (type.back() == '*' || type.back() == '+' || type.back() == '&')) {
    if (type.back() == '&') {
      parsed.is_block = true;
    } else {
      parsed.repeats = true;
      parsed.wants_one = type.back() == '+';
    }
    type = trimmed(type.substr(0, type.size() - 1));
  }
  parsed.parameter.name = arena_.copy(name);
  parsed.parameter.type = type.empty() ? types::kAny : parse_type_text(type);
  parsed.parameter.captures_rest = parsed.repeats;
  return parsed;
}

NativeSignature SignatureParser::parse(std::string_view text) {
  const std::string_view whole = text;
  text = trimmed(text);
  if (text.empty() || text.front() != '(') fail_signature(whole, "no (");
  text.remove_prefix(1);
  const size_t end = find_outside(text, ")");
  if (end == std::string_view::npos) fail_signature(whole, "no )");
  std::string_view list = trimmed(text.substr(0, end));
  const std::string_view rest = trimmed(text.substr(end + 1));

  NativeSignature result{};
  std::vector<ParsedParameter> parameters;
  while (!list.empty()) {
    const size_t comma = find_outside(list, ",");
    const std::string_view one = trimmed(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : trimmed(list.substr(comma + 1));
    const ParsedParameter parsed = parse_parameter(one);
    if (!parsed.is_block) {
      parameters.push_back(parsed);
      continue;
    }
    result.signature.block_name = parsed.parameter.name;
    result.block = parsed.parameter.type;
    result.block_is_optional = parsed.parameter.type->kind == TypeKind::kOptional;
  }

  const size_t count = parameters.size();
  auto* shown = arena_.make_array<SignatureParameter>(count);
  auto* param_types = arena_.make_array<const Type*>(count);
  // Backwards, because only parameters at the end may be omitted.
  bool may_be_left_out = true;
  int64_t required = 0;
  for (size_t i = count; i-- > 0;) {
    ParsedParameter& parsed = parameters[i];
    const bool is_optional = parsed.has_default || (parsed.repeats && !parsed.wants_one) ||
                             parsed.parameter.type->kind == TypeKind::kOptional;
    may_be_left_out = may_be_left_out && is_optional;
    parsed.parameter.has_default = may_be_left_out;
    if (!may_be_left_out) ++required;
    new (&shown[i]) SignatureParameter(parsed.parameter);
    param_types[i] = parsed.parameter.type;
  }
  const bool repeats = count > 0 && parameters.back().repeats;
  result.size = {required, repeats ? kMaxInteger : static_cast<int64_t>(count)};

  auto* tuple = arena_.make<TupleType>();
  tuple->kind = TypeKind::kTuple;
  tuple->types = {param_types, count};
  tuple->size = result.size;
  tuple->size_given = true;
  auto* callable = arena_.make<CallableType>();
  callable->kind = TypeKind::kCallable;
  callable->parameters = tuple;
  callable->block = result.block;
  callable->return_type =
      rest.starts_with(">>") ? parse_type_text(trimmed(rest.substr(2))) : nullptr;
  result.signature.parameters = {shown, count};
  result.signature.type = callable;
  return result;
}

}  // namespace bunraku
