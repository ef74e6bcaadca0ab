#include "syntax/parser_internal.h"

namespace bunraku {

std::string_view Parser::parse_definition_name() {
  switch (kind()) {
    case TokenKind::kName:
    case TokenKind::kWord:
    case TokenKind::kClassReference:
      return take().value();
    case TokenKind::kClass:
      fail(Issue::kClassKeywordNotAllowed, token().location());
    case TokenKind::kString:
      fail(Issue::kQuotedStringNotAllowed, token().location());
    default:
      unexpected({TokenKind::kName});
  }
}

// The name qualified by the surrounding classes, without a leading ::.
Name Parser::qualified(std::string_view name) const {
  if (name_stack_.empty()) {
    // Joined to an empty namespace the name begins with ::, which is removed again.
    return Name(name);
  }
  std::string full;
  for (const std::string_view around : name_stack_) full.append(around).append("::");
  full.append(name);
  return Name(full.starts_with("::") ? std::string_view(full).substr(2) : std::string_view(full));
}

const Expression* Parser::parse_class() {
  const Token& keyword = take();
  const std::string_view name = parse_definition_name();
  name_stack_.push_back(name);
  const ParameterList parameters = parse_parameter_list();
  Name parent;
  if (take_if(TokenKind::kInherits)) {
    parent = Name(is_at(TokenKind::kDefault) ? take().value() : parse_definition_name());
  }
  Braces braces{};
  const Statements statements = parse_braced(braces);
  name_stack_.pop_back();
  auto* made = node<HostClassDefinition>(between(keyword.location(), braces.right->location()));
  made->name = qualified(name);
  made->parent = parent;
  made->parameters = parameters;
  made->body = body_of(statements, made->location);
  define(made);
  return made;
}

const Expression* Parser::parse_define() {
  const Token& keyword = take();
  const std::string_view name = parse_definition_name();
  const ParameterList parameters = parse_parameter_list();
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* made = node<ResourceTypeDefinition>(between(keyword.location(), braces.right->location()));
  made->name = qualified(name);
  made->parameters = parameters;
  made->body = body_of(statements, made->location);
  define(made);
  return made;
}

const Expression* Parser::parse_plan() {
  const Token& keyword = take();
  const std::string_view name = parse_definition_name();
  name_stack_.push_back(name);
  const ParameterList parameters = parse_parameter_list();
  Braces braces{};
  const Statements statements = parse_braced(braces);
  name_stack_.pop_back();
  auto* made = node<PlanDefinition>(between(keyword.location(), braces.right->location()));
  made->name = qualified(name);
  made->parameters = parameters;
  made->body = body_of(statements, made->location);
  define(made);
  return made;
}

const Expression* Parser::parse_apply() {
  const Token& keyword = take();
  expect(TokenKind::kLeftParen);
  if (is_at(TokenKind::kRightParen)) unexpected();
  const ExpressionList arguments = parse_arguments(true);
  expect(TokenKind::kRightParen);
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* made = node<ApplyExpression>(between(keyword.location(), braces.right->location()));
  made->arguments = arguments;
  made->body = body_of(statements, made->location);
  return made;
}

const Expression* Parser::parse_function() {
  const Token& keyword = take();
  const std::string_view name = parse_definition_name();
  const ParameterList parameters = parse_parameter_list();
  const Expression* return_type = parse_return_type();
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* made = node<FunctionDefinition>(between(keyword.location(), braces.right->location()));
  made->name = Name(name);
  made->parameters = parameters;
  made->body = body_of(statements, made->location);
  made->return_type = return_type;
  define(made);
  return made;
}

const Expression* Parser::parse_node() {
  const Token& keyword = take();
  const size_t mark = scratch_.size();
  scratch_.push_back(parse_host());
  while (take_if(TokenKind::kComma)) {
    if (is_at(TokenKind::kLeftBrace) || is_at(TokenKind::kInherits)) break;
    scratch_.push_back(parse_host());
  }
  const ExpressionList hosts = collect<Expression>(mark);
  const Expression* parent = take_if(TokenKind::kInherits) ? parse_host() : nullptr;
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* made = node<NodeDefinition>(between(keyword.location(), braces.right->location()));
  made->host_matches = hosts;
  made->parent = parent;
  made->body = body_of(statements, made->location);
  define(made);
  return made;
}

// Parses a host: names and numbers joined by dots, a string, a regular expression, or default.
const Expression* Parser::parse_host() {
  switch (kind()) {
    case TokenKind::kName:
    case TokenKind::kNumber: {
      const Token& first = take();
      std::string joined(first.value());
      Location location = first.location();
      while (take_if(TokenKind::kDot)) {
        if (!is_at(TokenKind::kName) && !is_at(TokenKind::kNumber)) unexpected({TokenKind::kName});
        const Token& part = take();
        joined.append(".").append(part.value());
        location = between(first.location(), part.location());
      }
      auto* made = node<LiteralString>(location);
      made->value = arena_.copy(joined);
      return made;
    }
    case TokenKind::kString:
    case TokenKind::kWord:
    case TokenKind::kStringStart:
    case TokenKind::kHeredoc:
    case TokenKind::kDefault:
    case TokenKind::kRegex:
    case TokenKind::kError:
      return parse_primary();
    default:
      unexpected({TokenKind::kName, TokenKind::kDefault});
  }
}

ParameterList Parser::parse_parameter_list() {
  if (!is_at(TokenKind::kLeftParen) && !is_at(TokenKind::kLineLeftParen)) return {};
  take();
  const ParameterList parameters = parse_parameters(TokenKind::kRightParen);
  expect_end(TokenKind::kRightParen);
  return parameters;
}

// Parses up to `end`, which is not consumed.
ParameterList Parser::parse_parameters(TokenKind end) {
  if (is_at(end)) return {};
  const size_t mark = scratch_.size();
  scratch_.push_back(parse_parameter());
  while (take_if(TokenKind::kComma)) {
    if (is_at(end)) break;
    scratch_.push_back(parse_parameter());
  }
  return collect<Parameter>(mark);
}

const Parameter* Parser::parse_parameter() {
  const Expression* type = is_at(TokenKind::kClassReference) ? parse_parameter_type() : nullptr;
  const bool captures_rest = take_if(TokenKind::kTimes);
  const Token& name = expect(TokenKind::kVariable);
  const Expression* value = nullptr;
  if (take_if(TokenKind::kAssign)) value = parse_expression();
  auto* made = node<Parameter>(name.location());
  made->name = Name(name.value());
  made->value = value;
  made->type = type;
  made->captures_rest = captures_rest;
  return made;
}

// Parses X or X[...], without a trailing comma in the brackets.
const Expression* Parser::parse_parameter_type() {
  const QualifiedReference* type = parse_type_reference();
  if (!is_at(TokenKind::kLeftBracket)) return type;
  take();
  const ExpressionList keys = parse_access_keys();
  const Token& end = expect(TokenKind::kRightBracket);
  auto* access = node<AccessExpression>(between(type->location, end.location()));
  access->left = type;
  access->keys = keys;
  return access;
}

const Expression* Parser::parse_return_type() {
  return take_if(TokenKind::kRightShift) ? parse_parameter_type() : nullptr;
}

// `type` begins an alias, a mapping or a type definition; before ( it is a function's name.
const Expression* Parser::parse_type() {
  const Token& keyword = take();
  if (is_at(TokenKind::kLeftParen)) {
    auto* name = node<QualifiedName>(keyword.location());
    name->name = Name(keyword.value());
    return parse_call(name);
  }
  if (is_at(TokenKind::kClassReference) &&
      (kind_after() == TokenKind::kLeftBrace || kind_after() == TokenKind::kInherits)) {
    return parse_type_definition(keyword);
  }
  if (!is_at(TokenKind::kClassReference)) unexpected({TokenKind::kClassReference});
  const Expression* left = parse_parameter_type();
  expect(TokenKind::kAssign);
  Location end{};
  const Expression* right = parse_aliased_type(*left, end);
  const Location location = between(left->location, end);
  if (left->kind == NodeKind::kAccessExpression) {
    auto* mapping = node<TypeMapping>(location);
    mapping->type_expression = left;
    mapping->mapping = right;
    define(mapping);
    return mapping;
  }
  auto* alias = node<TypeAlias>(location);
  alias->name = left->as<QualifiedReference>().cased;
  alias->type_expression = right;
  define(alias);
  return alias;
}

// Parses the right side of an alias: a type, a hash that defines an object, `Parent { ... }`, or a
// list.
const Expression* Parser::parse_aliased_type(const Expression& left, Location& end) {
  const Location alias = left.location;
  // A mapping defines nothing, and a hash there is reported as an error.
  const bool is_mapping = left.kind == NodeKind::kAccessExpression;
  if (is_at(TokenKind::kListStart) || is_at(TokenKind::kLeftBracket)) {
    // The reference uses the length of the left side alone here.
    const Expression* list = parse_list();
    end = alias;
    return list;
  }
  if (is_at(TokenKind::kLeftBrace)) {
    const LiteralHash* hash = parse_hash();
    end = hash->location;
    return is_mapping ? hash : object_type(hash, nullptr, alias);
  }
  const QualifiedReference* type = parse_type_reference();
  end = type->location;
  if (is_at(TokenKind::kLeftBrace)) {
    const LiteralHash* hash = parse_hash();
    end = hash->location;
    if (!is_mapping) return object_type(hash, type, alias);
    auto* entry = node<KeyedEntry>(between(type->location, end));
    entry->key = type;
    entry->value = hash;
    return entry;
  }
  if (!is_at(TokenKind::kLeftBracket)) return type;
  take();
  const ExpressionList keys = parse_access_keys();
  if (is_at(TokenKind::kComma)) end = take().location();
  const Token& bracket = expect(TokenKind::kRightBracket);
  end = bracket.location();
  auto* access = node<AccessExpression>({alias.offset, 0});
  access->left = type;
  access->keys = keys;
  return access;
}

// Makes Object[{...}], with the parent as an additional entry; Object and TypeSet themselves get
// the unchanged hash.
const Expression* Parser::object_type(const LiteralHash* hash, const QualifiedReference* parent,
                                      Location location) {
  static const Name kObject("Object");
  static const Name kTypeSet("TypeSet");
  static const Name kLowerObject("object");
  static const Name kParent("parent");
  const bool is_base = parent != nullptr && (parent->cased == kObject || parent->cased == kTypeSet);
  const QualifiedReference* type = parent;
  if (!is_base) {
    auto* made = node<QualifiedReference>({location.offset, 0});
    made->cased = kObject;
    made->name = kLowerObject;
    type = made;
  }
  if (parent != nullptr && !is_base) {
    auto* key = node<QualifiedName>({hash->location.offset, 0});
    key->name = kParent;
    auto* entry = node<KeyedEntry>({hash->location.offset, 0});
    entry->key = key;
    entry->value = parent;
    const size_t mark = scratch_.size();
    scratch_.insert(scratch_.end(), hash->entries.begin(), hash->entries.end());
    scratch_.push_back(entry);
    const_cast<LiteralHash*>(hash)->entries = collect<KeyedEntry>(mark);
  }
  auto* access = node<AccessExpression>({location.offset, 0});
  access->left = type;
  const size_t mark = scratch_.size();
  scratch_.push_back(hash);
  access->keys = collect<Expression>(mark);
  return access;
}

const Expression* Parser::parse_type_definition(const Token& keyword) {
  const Token& name = take();
  Name parent;
  if (take_if(TokenKind::kInherits)) parent = Name(expect(TokenKind::kClassReference).value());
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* made = node<TypeDefinition>(between(keyword.location(), braces.right->location()));
  made->name = Name(name.value());
  made->parent = parent;
  made->body = body_of(statements, made->location);
  define(made);
  return made;
}

}  // namespace bunraku
