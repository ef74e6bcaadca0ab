#include "syntax/parser_internal.h"

namespace bunraku {

namespace {

// Returns the form field of a resource, defaults or override expression; null for any other node.
ResourceForm* form_of(Expression* expression) {
  switch (expression->kind) {
    case NodeKind::kResourceExpression:
      return &static_cast<ResourceExpression*>(expression)->form;
    case NodeKind::kResourceDefaultsExpression:
      return &static_cast<ResourceDefaultsExpression*>(expression)->form;
    case NodeKind::kResourceOverrideExpression:
      return &static_cast<ResourceOverrideExpression*>(expression)->form;
    default:
      return nullptr;
  }
}

}  // namespace

const Expression* Parser::parse_resource() {
  const Expression* left;
  bool is_plain = false;
  if (is_at(TokenKind::kAt) || is_at(TokenKind::kAtAt)) {
    left = parse_virtual();
  } else if (is_at(TokenKind::kClass) && kind_after() == TokenKind::kLeftBrace) {
    left = parse_class_resource();
  } else {
    left = parse_expression();
    is_plain = true;
  }
  while (is_at(TokenKind::kLeftBrace)) {
    left = parse_resource_braces(left);
    is_plain = false;
    grow();
  }
  is_expression_ = is_plain;
  return left;
}

const Expression* Parser::parse_virtual() {
  const Token& mark = take();
  const Nesting nesting(*this);
  const Expression* resource = parse_resource();
  const bool is_exported = mark.kind == TokenKind::kAtAt;
  auto* changed = const_cast<Expression*>(resource);
  ResourceForm* form = form_of(changed);
  if (form == nullptr) {
    if (is_at(TokenKind::kError)) unexpected();  // the reference reports that one first
    fail(is_exported ? Issue::kExportedNeedsResource : Issue::kVirtualNeedsResource,
         mark.location());
  }
  *form = is_exported ? ResourceForm::kExported : ResourceForm::kVirtual;
  changed->location = between(mark.location(), resource->location);
  return resource;
}

const Expression* Parser::parse_class_resource() {
  const Token& keyword = take();
  take();
  auto* name = node<QualifiedName>({keyword.offset, 0});
  name->name = Name(keyword.value());
  const size_t mark = scratch_.size();
  parse_resource_bodies(keyword.location());
  take_if(TokenKind::kSemicolon);
  auto bodies = collect<ResourceBody>(mark);
  const Token& end = expect(TokenKind::kRightBrace);
  auto* resource = node<ResourceExpression>(between(keyword.location(), end.location()));
  resource->type_name = name;
  resource->bodies = bodies;
  return resource;
}

// Parses the braces after a resource type, a type or a reference: bodies with titles, or only
// operations.
const Expression* Parser::parse_resource_braces(const Expression* left) {
  Braces braces{&take(), nullptr};
  const bool has_title =
      !is_at(TokenKind::kRightBrace) && !is_at(TokenKind::kComma) && !at_attribute();
  if (!has_title) {
    const OperationList operations = parse_attribute_operations();
    braces.right = &expect_end(TokenKind::kRightBrace);
    return make_untitled(left, operations, braces);
  }
  const size_t mark = scratch_.size();
  scratch_.push_back(parse_resource_body(left->location));
  if (take_if(TokenKind::kSemicolon) && !is_at(TokenKind::kRightBrace)) {
    parse_resource_bodies(left->location);
    take_if(TokenKind::kSemicolon);
  }
  auto bodies = collect<ResourceBody>(mark);
  braces.right = &expect_end(TokenKind::kRightBrace);
  auto* resource = node<ResourceExpression>(between(left->location, braces.right->location()));
  resource->type_name = left;
  resource->bodies = bodies;
  return resource;
}

const Expression* Parser::make_untitled(const Expression* left, OperationList operations,
                                        Braces braces) {
  const Location location = between(left->location, braces.right->location());
  if (left->kind == NodeKind::kQualifiedName) return make_hash_from(left, operations, braces);
  if (left->kind == NodeKind::kQualifiedReference) {
    auto* defaults = node<ResourceDefaultsExpression>(location);
    defaults->type_reference = left;
    defaults->operations = operations;
    return defaults;
  }
  if (left->kind == NodeKind::kAccessExpression) {
    auto* made = node<ResourceOverrideExpression>(location);
    made->resources = left;
    made->operations = operations;
    return made;
  }
  fail(Issue::kNotAResource, left->location);
}

// `name { a => 1 }` is read as a name and a hash: a call when the function may be called without
// parentheses, otherwise two expressions, which validation reports.
const Expression* Parser::make_hash_from(const Expression* left, OperationList operations,
                                         Braces braces) {
  auto* hash = node<LiteralHash>(between(braces.left->location(), braces.right->location()));
  const size_t mark = scratch_.size();
  for (const Expression* operation : operations) {
    auto* entry = node<KeyedEntry>({hash->location.offset, 0});
    const auto* attribute = operation->try_as<AttributeOperation>();
    if (attribute == nullptr || attribute->op == Operator::kAddTo) {
      fail(Issue::kResourceBodyWithoutTitle, braces.left->location());
    }
    auto* key = node<LiteralString>({hash->location.offset, 0});
    key->value = attribute->name.text();
    entry->key = key;
    entry->value = attribute->value;
    scratch_.push_back(entry);
  }
  hash->entries = collect<KeyedEntry>(mark);
  const Location location = between(left->location, braces.right->location());
  scratch_.push_back(left);
  scratch_.push_back(hash);
  if (is_statement_name(left->as<QualifiedName>().name)) {
    const Expression* call = make_statement_call(left, mark + 1);
    scratch_.resize(mark);
    const_cast<Expression*>(call)->location = location;
    return call;
  }
  auto* block = node<BlockExpression>(location);
  block->statements = collect<Expression>(mark);
  return block;
}

const ResourceBody* Parser::parse_resource_body(Location resource) {
  const Expression* title = parse_expression();
  expect(TokenKind::kColon);
  const OperationList operations = parse_attribute_operations();
  auto* body = node<ResourceBody>({resource.offset, 0});
  body->title = title;
  body->operations = operations;
  return body;
}

void Parser::parse_resource_bodies(Location resource) {
  scratch_.push_back(parse_resource_body(resource));
  while (is_at(TokenKind::kSemicolon) && kind_after() != TokenKind::kRightBrace) {
    take();
    scratch_.push_back(parse_resource_body(resource));
  }
}

namespace {
bool is_attribute_name(TokenKind kind) {
  return kind == TokenKind::kName || (kind >= TokenKind::kCase && kind <= TokenKind::kApply);
}
}  // namespace

bool Parser::at_attribute() const {
  if (is_at(TokenKind::kTimes)) return kind_after() == TokenKind::kFatArrow;
  switch (kind()) {
    case TokenKind::kAnd:
    case TokenKind::kElse:
    case TokenKind::kElsif:
    case TokenKind::kIn:
    case TokenKind::kInherits:
    case TokenKind::kOr:
      return true;  // not the start of an expression
    default:
      break;
  }
  return is_attribute_name(kind()) &&
         (kind_after() == TokenKind::kFatArrow || kind_after() == TokenKind::kPlusArrow);
}

// Parses operations, possibly none, with a comma after them or, as in the reference, before them.
OperationList Parser::parse_attribute_operations() {
  const size_t mark = scratch_.size();
  take_if(TokenKind::kComma);
  while (is_attribute_name(kind()) || is_at(TokenKind::kTimes)) {
    scratch_.push_back(parse_attribute());
    if (!take_if(TokenKind::kComma)) break;
  }
  return collect<Expression>(mark);
}

const Expression* Parser::parse_attribute() {
  const Token& name = take();
  if (name.kind == TokenKind::kTimes) {
    expect(TokenKind::kFatArrow);
    const Expression* value = parse_expression();
    auto* made = node<AttributesOperation>(between(name.location(), value->location));
    made->expression = value;
    return made;
  }
  if (!is_at(TokenKind::kFatArrow) && !is_at(TokenKind::kPlusArrow)) {
    unexpected({TokenKind::kFatArrow, TokenKind::kPlusArrow});
  }
  const Operator op = take().kind == TokenKind::kFatArrow ? Operator::kSet : Operator::kAddTo;
  const Expression* value = parse_expression();
  auto* made = node<AttributeOperation>(between(name.location(), value->location));
  made->name = Name(name.value());
  made->op = op;
  made->value = value;
  return made;
}

const Expression* Parser::parse_collector(const Expression* type) {
  const Token& start = take();
  const bool is_exported = start.kind == TokenKind::kLeftExportedCollect;
  const TokenKind close = is_exported ? TokenKind::kRightExportedCollect : TokenKind::kRightCollect;
  const Expression* expression = is_at(close) ? nullptr : parse_expression();
  const Token& end = expect(close);
  const Location location = between(start.location(), end.location());
  const Expression* query;
  if (is_exported) {
    auto* made = node<ExportedQuery>(location);
    made->expression = expression;
    query = made;
  } else {
    auto* made = node<VirtualQuery>(location);
    made->expression = expression;
    query = made;
  }
  Location last = location;
  OperationList operations;
  if (take_if(TokenKind::kLeftBrace)) {
    operations = parse_attribute_operations();
    last = expect(TokenKind::kRightBrace).location();
  }
  auto* collector = node<CollectExpression>(between(type->location, last));
  collector->type_expression = type;
  collector->query = query;
  collector->operations = operations;
  return collector;
}

}  // namespace bunraku
