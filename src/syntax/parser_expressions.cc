#include <algorithm>
#include <array>

#include "syntax/parser_internal.h"

namespace bunraku {

namespace {

// The precedence of binary operators, lowest first; 0 for other tokens.
enum Binding : uint8_t {
  kNoBinding,
  kOrBinding,
  kAndBinding,
  kSelectorBinding,
  kComparisonBinding,
  kEqualityBinding,
  kShiftBinding,
  kSumBinding,
  kProductBinding,
  kMatchBinding,
  kInBinding,
};

struct BinaryOperator {
  Binding binding = kNoBinding;
  NodeKind kind = NodeKind::kNop;
  Operator op = Operator::kNone;
};

constexpr auto kBinaryOperators = [] {
  std::array<BinaryOperator, 128> table{};
  auto set = [&table](TokenKind token, Binding binding, NodeKind kind, Operator op) {
    table[static_cast<size_t>(token)] = {binding, kind, op};
  };
  using enum TokenKind;
  constexpr auto kArithmetic = NodeKind::kArithmeticExpression;
  constexpr auto kComparison = NodeKind::kComparisonExpression;
  set(TokenKind::kOr, kOrBinding, NodeKind::kOrExpression, Operator::kNone);
  set(TokenKind::kAnd, kAndBinding, NodeKind::kAndExpression, Operator::kNone);
  set(kQuestion, kSelectorBinding, NodeKind::kSelectorExpression, Operator::kNone);
  set(TokenKind::kLess, kComparisonBinding, kComparison, Operator::kLess);
  set(TokenKind::kLessOrEqual, kComparisonBinding, kComparison, Operator::kLessOrEqual);
  set(TokenKind::kGreater, kComparisonBinding, kComparison, Operator::kGreater);
  set(TokenKind::kGreaterOrEqual, kComparisonBinding, kComparison, Operator::kGreaterOrEqual);
  set(TokenKind::kEqual, kEqualityBinding, kComparison, Operator::kEqual);
  set(TokenKind::kNotEqual, kEqualityBinding, kComparison, Operator::kNotEqual);
  set(TokenKind::kLeftShift, kShiftBinding, kArithmetic, Operator::kLeftShift);
  set(TokenKind::kRightShift, kShiftBinding, kArithmetic, Operator::kRightShift);
  set(kPlus, kSumBinding, kArithmetic, Operator::kAdd);
  set(kMinus, kSumBinding, kArithmetic, Operator::kSubtract);
  set(kTimes, kProductBinding, kArithmetic, Operator::kMultiply);
  set(TokenKind::kDivide, kProductBinding, kArithmetic, Operator::kDivide);
  set(TokenKind::kModulo, kProductBinding, kArithmetic, Operator::kModulo);
  set(TokenKind::kMatch, kMatchBinding, NodeKind::kMatchExpression, Operator::kMatch);
  set(TokenKind::kNoMatch, kMatchBinding, NodeKind::kMatchExpression, Operator::kNoMatch);
  set(TokenKind::kIn, kInBinding, NodeKind::kInExpression, Operator::kNone);
  return table;
}();

using TokenSet = std::array<bool, 256>;

constexpr TokenSet set_of(std::initializer_list<TokenKind> kinds) {
  TokenSet set{};
  for (const TokenKind kind : kinds) set[static_cast<size_t>(kind)] = true;
  return set;
}

// Tokens that can be a whole expression.
constexpr TokenSet kSingleTokens =
    set_of({TokenKind::kVariable, TokenKind::kString, TokenKind::kName, TokenKind::kWord,
            TokenKind::kNumber, TokenKind::kTrue, TokenKind::kFalse, TokenKind::kDefault,
            TokenKind::kUndef});

// Tokens that may continue the expression before them.
constexpr TokenSet kContinuations = [] {
  TokenSet set =
      set_of({TokenKind::kLeftParen, TokenKind::kLeftBracket, TokenKind::kDot,
              TokenKind::kLeftCollect, TokenKind::kLeftExportedCollect, TokenKind::kLeftBrace,
              TokenKind::kAssign, TokenKind::kAppend, TokenKind::kDelete, TokenKind::kBefore,
              TokenKind::kNotify, TokenKind::kAfter, TokenKind::kSubscribe});
  for (size_t i = 0; i < kBinaryOperators.size(); ++i) {
    if (kBinaryOperators[i].binding != kNoBinding) set[i] = true;
  }
  return set;
}();

// Makes a node of two operands, without the operands.
BinaryExpression* make_binary(Arena& arena, NodeKind kind) {
  switch (kind) {
    case NodeKind::kAndExpression:
      return arena.make<AndExpression>();
    case NodeKind::kOrExpression:
      return arena.make<OrExpression>();
    case NodeKind::kInExpression:
      return arena.make<InExpression>();
    case NodeKind::kMatchExpression:
      return arena.make<MatchExpression>();
    case NodeKind::kComparisonExpression:
      return arena.make<ComparisonExpression>();
    case NodeKind::kAssignmentExpression:
      return arena.make<AssignmentExpression>();
    case NodeKind::kRelationshipExpression:
      return arena.make<RelationshipExpression>();
    default:
      return arena.make<ArithmeticExpression>();
  }
}

BinaryExpression* make_binary(Arena& arena, NodeKind kind, const Expression* left,
                              const Expression* right, Operator op, Location at) {
  BinaryExpression* made = make_binary(arena, kind);
  made->kind = kind;
  made->location = at;
  made->left = left;
  made->right = right;
  made->op = op;
  made->operator_location = at;
  return made;
}

Operator assignment_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kAssign:
      return Operator::kAssign;
    case TokenKind::kAppend:
      return Operator::kAppend;
    case TokenKind::kDelete:
      return Operator::kDelete;
    default:
      return Operator::kNone;
  }
}

Operator relationship_operator(TokenKind kind) {
  switch (kind) {
    case TokenKind::kBefore:
      return Operator::kBefore;
    case TokenKind::kNotify:
      return Operator::kNotify;
    case TokenKind::kAfter:
      return Operator::kAfter;
    case TokenKind::kSubscribe:
      return Operator::kSubscribe;
    default:
      return Operator::kNone;
  }
}

}  // namespace

// A fast path: most expressions are a single token and need no precedence climbing.
bool Parser::at_single_token() const {
  return kSingleTokens[static_cast<size_t>(kind())] &&
         !kContinuations[static_cast<size_t>(at_[1].kind)];
}

const Expression* Parser::parse_single_token() {
  height_ = std::max(height_, 1);
  return parse_primary();
}

const Expression* Parser::parse_assignment() {
  if (at_single_token()) {
    is_expression_ = true;
    return parse_single_token();
  }
  const Expression* left = parse_relationship();
  const Operator op = assignment_operator(kind());
  if (op == Operator::kNone) return left;
  const Token& operator_token = take();
  const Nesting nesting(*this);
  const Expression* right = parse_assignment();
  is_expression_ = false;
  return make_binary(arena_, NodeKind::kAssignmentExpression, left, right, op,
                     operator_token.location());
}

const Expression* Parser::parse_relationship() {
  const Expression* left = parse_resource();
  while (true) {
    const Operator op = relationship_operator(kind());
    if (op == Operator::kNone) return left;
    const Token& operator_token = take();
    const Expression* right = parse_resource();
    grow();
    left = make_binary(arena_, NodeKind::kRelationshipExpression, left, right, op,
                       operator_token.location());
    is_expression_ = false;
  }
}

const Expression* Parser::parse_expression(int lowest) {
  if (at_single_token()) return parse_single_token();
  return parse_operators(parse_unary(), lowest);
}

const Expression* Parser::parse_operators(const Expression* left, int lowest) {
  while (true) {
    const BinaryOperator& found = kBinaryOperators[static_cast<size_t>(kind())];
    if (found.binding == kNoBinding || found.binding < lowest) return left;
    const Token& operator_token = take();
    if (found.binding == kSelectorBinding) {
      left = parse_postfix(parse_selector(left));
    } else {
      const Expression* right = parse_expression(found.binding + 1);
      left = make_binary(arena_, found.kind, left, right, found.op, operator_token.location());
    }
    grow();
  }
}

const Expression* Parser::parse_unary() {
  const Nesting nesting(*this);
  const Token& start = token();
  switch (start.kind) {
    case TokenKind::kNot: {
      take();
      const Expression* operand = parse_unary();
      auto* made = node<NotExpression>(start.location());
      made->expression = operand;
      return made;
    }
    case TokenKind::kMinus: {
      take();
      const Expression* operand = parse_unary();
      auto* made = node<UnaryMinusExpression>(start.location());
      made->expression = operand;
      return made;
    }
    case TokenKind::kTimes: {
      take();
      const Expression* operand = parse_unary();
      auto* made = node<UnfoldExpression>(start.location());
      made->expression = operand;
      return made;
    }
    default:
      return parse_postfix(parse_primary());
  }
}

const Expression* Parser::parse_primary() {
  const Token& start = token();
  switch (start.kind) {
    case TokenKind::kVariable:
      return parse_variable();
    case TokenKind::kName: {
      take();
      auto* made = node<QualifiedName>(start.location());
      made->name = Name(start.value());
      return made;
    }
    case TokenKind::kClassReference:
      return parse_type_reference();
    case TokenKind::kString:
    case TokenKind::kWord:
      return make_string(take());
    case TokenKind::kStringStart:
      return parse_interpolated_string();
    case TokenKind::kHeredoc:
      return parse_heredoc();
    case TokenKind::kNumber:
      return parse_number();
    case TokenKind::kTrue:
    case TokenKind::kFalse: {
      take();
      auto* made = node<LiteralBoolean>(start.location());
      made->value = start.kind == TokenKind::kTrue;
      return made;
    }
    case TokenKind::kDefault:
      take();
      return node<LiteralDefault>(start.location());
    case TokenKind::kUndef:
      take();
      return node<LiteralUndef>(start.location());
    case TokenKind::kRegex: {
      take();
      auto* made = node<LiteralRegularExpression>(start.location());
      made->pattern = start.value();
      return made;
    }
    case TokenKind::kListStart:
    case TokenKind::kLeftBracket:
      return parse_list();
    case TokenKind::kLeftBrace:
      return parse_hash();
    case TokenKind::kLeftParen:
    case TokenKind::kLineLeftParen:
      return parse_parenthesized();
    case TokenKind::kIf:
      return parse_if();
    case TokenKind::kUnless:
      return parse_unless();
    case TokenKind::kCase:
      return parse_case();
    case TokenKind::kClass:
      return parse_class();
    case TokenKind::kDefine:
      return parse_define();
    case TokenKind::kNode:
      return parse_node();
    case TokenKind::kFunction:
      return parse_function();
    case TokenKind::kPlan:
      return parse_plan();
    case TokenKind::kApply:
      return parse_apply();
    case TokenKind::kType:
      return parse_type();
    case TokenKind::kAttr:
    case TokenKind::kPrivate: {
      take();
      auto* made = node<ReservedWord>(start.location());
      made->word = start.value();
      return made;
    }
    case TokenKind::kRenderString: {
      take();
      auto* made = node<RenderStringExpression>(start.location());
      made->value = start.value();
      return made;
    }
    case TokenKind::kRenderExpression:
      return parse_render_expression();
    case TokenKind::kError: {
      // A placeholder for the erroneous value, so that parsing continues.
      while (is_at(TokenKind::kError)) report_lexical(take());
      return nop(start.location());
    }
    default:
      unexpected();
  }
}

const Expression* Parser::parse_postfix(const Expression* left) {
  while (true) {
    switch (kind()) {
      case TokenKind::kLeftParen:
        left = parse_call(left);
        break;
      case TokenKind::kLeftBracket:
        left = parse_access(left);
        break;
      case TokenKind::kDot:
        left = parse_method_call(left);
        break;
      case TokenKind::kLeftCollect:
      case TokenKind::kLeftExportedCollect:
        left = parse_collector(left);
        break;
      default:
        return left;
    }
    grow();
  }
}

const Expression* Parser::parse_call(const Expression* functor) {
  take();
  const ExpressionList arguments = parse_arguments(true);
  Location end = expect_end(TokenKind::kRightParen).location();
  const LambdaExpression* lambda = nullptr;
  if (is_at(TokenKind::kPipe)) {
    lambda = parse_lambda();
    end = lambda->location;
  }
  auto* call = node<CallNamedFunctionExpression>(between(functor->location, end));
  call->functor = functor;
  call->arguments = arguments;
  call->lambda = lambda;
  call->value_required = true;
  return call;
}

const Expression* Parser::parse_method_call(const Expression* receiver) {
  const Token& dot = take();
  if (!is_at(TokenKind::kName) && !is_at(TokenKind::kType)) unexpected({TokenKind::kName});
  const Token& name_token = take();
  auto* access = node<NamedAccessExpression>(between(dot.location(), name_token.location()));
  auto* name = node<QualifiedName>({dot.offset, 0});
  name->name = Name(name_token.value());
  access->left = receiver;
  access->right = name;
  access->operator_location = dot.location();
  Location location = access->location;
  ExpressionList arguments;
  if (is_at(TokenKind::kLeftParen)) {
    const Token& left = take();
    arguments = parse_arguments(false);
    location = between(left.location(), expect_end(TokenKind::kRightParen).location());
  }
  auto* call = node<CallMethodExpression>(location);
  call->functor = access;
  call->arguments = arguments;
  call->lambda = is_at(TokenKind::kPipe) ? parse_lambda() : nullptr;
  call->value_required = true;
  return call;
}

const Expression* Parser::parse_access(const Expression* left) {
  take();
  const ExpressionList keys = parse_access_keys();
  take_if(TokenKind::kComma);
  const Token& end = expect_end(TokenKind::kRightBracket);
  auto* access = node<AccessExpression>(between(left->location, end.location()));
  access->left = left;
  access->keys = keys;
  return access;
}

// Parses one or more keys, up to ] or a comma before it.
ExpressionList Parser::parse_access_keys() {
  const size_t mark = scratch_.size();
  push_argument(mark, parse_access_key());
  while (is_at(TokenKind::kComma) && kind_after() != TokenKind::kRightBracket) {
    take();
    push_argument(mark, parse_access_key());
  }
  return collect<Expression>(mark);
}

// Parses up to the closing parenthesis, which is not consumed.
ExpressionList Parser::parse_arguments(bool allows_trailing_comma) {
  if (is_at(TokenKind::kRightParen)) return {};
  const size_t mark = scratch_.size();
  push_argument(mark, parse_argument());
  while (take_if(TokenKind::kComma)) {
    if (allows_trailing_comma && is_at(TokenKind::kRightParen)) break;
    push_argument(mark, parse_argument());
  }
  return collect<Expression>(mark);
}

bool Parser::at_entry_keyword() const {
  if (!is_at(TokenKind::kType) && !is_at(TokenKind::kFunction)) return false;
  return kind_after() == TokenKind::kFatArrow;
}

const Expression* Parser::take_keyword_as_string() {
  return make_string(take());
}

// Adds an argument; successive pairs without braces are merged into one hash. Such a hash differs
// from a written one only in its location: its first arrow instead of a brace.
void Parser::push_argument(size_t mark, const Expression* argument) {
  auto is_unfolded = [](const Expression* expression) {
    const auto* hash = expression->try_as<LiteralHash>();
    return hash != nullptr && !hash->entries.empty() &&
           hash->location.offset == hash->entries[0]->location.offset;
  };
  if (scratch_.size() > mark && is_unfolded(argument) && is_unfolded(scratch_.back())) {
    auto* last = const_cast<LiteralHash*>(static_cast<const LiteralHash*>(scratch_.back()));
    const auto* added = static_cast<const LiteralHash*>(argument);
    // The capacity of entries is a power of two, so that a long list is not copied for each entry.
    const size_t size = last->entries.size();
    const KeyedEntry** entries;
    if ((size & (size - 1)) == 0) {
      entries = arena_.make_array<const KeyedEntry*>(size * 2);
      for (size_t i = 0; i < size; ++i) entries[i] = last->entries[i];
    } else {
      entries = const_cast<const KeyedEntry**>(last->entries.data());
    }
    entries[size] = added->entries[0];
    last->entries = {entries, size + 1};
    return;
  }
  scratch_.push_back(argument);
}

const Expression* Parser::parse_argument() {
  if (at_entry_keyword()) return unfolded_hash(parse_pair_after(take_keyword_as_string()));
  const Expression* argument = parse_assignment();
  return is_at(TokenKind::kFatArrow) ? unfolded_hash(parse_pair_after(argument)) : argument;
}

const Expression* Parser::parse_access_key() {
  if (at_entry_keyword()) return unfolded_hash(parse_pair_after(take_keyword_as_string()));
  const Expression* key = parse_assignment();
  if (is_at(TokenKind::kFatArrow)) return unfolded_hash(parse_pair_after(key));
  if (!is_expression_) unexpected({TokenKind::kFatArrow});
  return key;
}

// Parses an element of a list: like an argument, but `type` and `function` may be plain words.
const Expression* Parser::parse_collection_entry() {
  const bool is_keyword =
      (is_at(TokenKind::kType) || is_at(TokenKind::kFunction)) &&
      (kind_after() == TokenKind::kComma || kind_after() == TokenKind::kRightBracket);
  return is_keyword ? take_keyword_as_string() : parse_argument();
}

const Expression* Parser::parse_hash_entry() {
  const bool is_keyword =
      (is_at(TokenKind::kType) || is_at(TokenKind::kFunction)) &&
      (kind_after() == TokenKind::kFatArrow || kind_after() == TokenKind::kComma ||
       kind_after() == TokenKind::kRightBrace || kind_after() == TokenKind::kRightBracket ||
       kind_after() == TokenKind::kRightParen);
  return is_keyword ? take_keyword_as_string() : parse_assignment();
}

const KeyedEntry* Parser::parse_pair_after(const Expression* key) {
  if (const auto* assignment = key->try_as<AssignmentExpression>()) {
    if (!is_at(TokenKind::kFatArrow)) unexpected_assignment(assignment->operator_location);
  }
  const Token& arrow = expect(TokenKind::kFatArrow);
  const Expression* value = parse_hash_entry();
  auto* entry = node<KeyedEntry>(arrow.location());
  entry->key = key;
  entry->value = value;
  is_expression_ = false;
  return entry;
}

const Expression* Parser::unfolded_hash(const KeyedEntry* entry) {
  auto* hash = node<LiteralHash>(entry->location);
  auto* entries = arena_.make_array<const KeyedEntry*>(1);
  entries[0] = entry;
  hash->entries = {entries, 1};
  return hash;
}

const LambdaExpression* Parser::parse_lambda() {
  const Token& start = take();
  const ParameterList parameters = parse_parameters(TokenKind::kPipe);
  expect(TokenKind::kPipe);
  const Expression* return_type = parse_return_type();
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* lambda = node<LambdaExpression>(between(start.location(), braces.right->location()));
  lambda->parameters = parameters;
  lambda->return_type = return_type;
  lambda->body = body_of(statements, lambda->location);
  return lambda;
}

const Expression* Parser::parse_selector(const Expression* left) {
  const Nesting nesting(*this);
  const size_t mark = scratch_.size();
  if (take_if(TokenKind::kSelectorBrace)) {
    scratch_.push_back(parse_selector_entry());
    while (take_if(TokenKind::kComma)) {
      if (is_at(TokenKind::kRightBrace)) break;
      scratch_.push_back(parse_selector_entry());
    }
    expect(TokenKind::kRightBrace);
  } else {
    scratch_.push_back(parse_selector_entry());
  }
  auto* selector = node<SelectorExpression>(left->location);
  selector->left = left;
  selector->selectors = collect<SelectorEntry>(mark);
  return selector;
}

const SelectorEntry* Parser::parse_selector_entry() {
  const Expression* matching = parse_expression();
  const Token& arrow = expect(TokenKind::kFatArrow);
  const Expression* value = parse_expression();
  auto* entry = node<SelectorEntry>(arrow.location());
  entry->matching = matching;
  entry->value = value;
  return entry;
}

const Expression* Parser::parse_parenthesized() {
  const Token& start = take();
  const Expression* inner = parse_assignment();
  expect(TokenKind::kRightParen);
  auto* made = node<ParenthesizedExpression>(start.location());
  made->expression = inner;
  return made;
}

}  // namespace bunraku
