#include "syntax/parser_internal.h"

namespace bunraku {

// Returns whether the function may be called without parentheses.
bool Parser::is_statement_name(Name called) {
  const std::string_view name = called.text();
  switch (name.size()) {
    case 3:
      return name == "tag" || name == "err";
    case 4:
      return name == "info" || name == "fail" || name == "next";
    case 5:
      return name == "debug" || name == "break";
    case 6:
      return name == "notice" || name == "import" || name == "return";
    case 7:
      return name == "require" || name == "realize" || name == "include" || name == "contain" ||
             name == "warning";
    default:
      return false;
  }
}

// Returns a block of several statements, located at its braces; a single statement is returned
// itself.
const Expression* Parser::block_or_expression(const Statements& statements, Braces braces) {
  if (statements.empty()) return nullptr;
  if (statements.list.size() == 1) return statements.list[0];
  const Location from =
      braces.left != nullptr ? braces.left->location() : statements.list.front()->location;
  const Location to =
      braces.right != nullptr ? braces.right->location() : statements.list.back()->location;
  auto* block = node<BlockExpression>(between(from, to));
  block->statements = statements.list;
  return block;
}

// Returns the body of a definition or lambda: always a block, or null when it is empty.
const Expression* Parser::body_of(const Statements& statements, Location container) {
  if (statements.empty()) return nullptr;
  auto* block = node<BlockExpression>({container.offset, 0});
  block->statements = statements.list;
  return block;
}

Parser::Statements Parser::parse_braced(Braces& braces) {
  braces.left = &expect(TokenKind::kLeftBrace);
  Statements statements = parse_statements(TokenKind::kRightBrace);
  braces.right = &expect(TokenKind::kRightBrace);
  return statements;
}

// Parses statements up to `end`, which is not consumed. Recovers from errors within a statement.
Parser::Statements Parser::parse_statements(TokenKind end) {
  const size_t mark = scratch_.size();
  const int braces = braces_;
  const int depth = depth_;
  const size_t names = name_stack_.size();
  std::vector<Diagnostic> late;
  const bool is_nested = end == TokenKind::kRightBrace;
  while (!is_at(end)) {
    if (is_at(TokenKind::kEndOfInput)) break;
    const Token* before = at_;
    const size_t size = scratch_.size();
    try {
      parse_statement(mark, late);
      if (is_at(TokenKind::kSemicolon)) {
        take();
        if (is_at(end)) unexpected();
      }
    } catch (const SyntaxFailure&) {
      if (is_abandoned_) throw;
      // In the reference, a token that cannot begin a statement ends the block, which is processed
      // as a whole before the token is reported.
      const bool follows_statement =
          at_ == before && at_ != first_ && at_[-1].kind != TokenKind::kSemicolon;
      if (follows_statement && !late.empty() && !reported_.empty()) {
        reported_.insert(reported_.end() - 1, late.begin(), late.end());
        late.clear();
      }
      scratch_.resize(size);
      depth_ = depth;
      name_stack_.resize(names);
      if (at_ == before && !(is_nested && is_at(TokenKind::kRightBrace))) take();
      recover(braces, is_nested);
      take_if(TokenKind::kSemicolon);
    }
  }
  for (Diagnostic& diagnostic : late) report(std::move(diagnostic));
  return {collect<Expression>(mark)};
}

// Parses a statement `a, b, c` and adds it to the list that begins at `mark`: as the arguments of a
// preceding name, when that may be called without parentheses.
void Parser::parse_statement(size_t mark, std::vector<Diagnostic>& late) {
  const size_t first = scratch_.size();
  const Token* comma = nullptr;
  scratch_.push_back(parse_assignment());
  while (is_at(TokenKind::kComma)) {
    if (comma == nullptr) comma = &token();
    take();
    scratch_.push_back(parse_assignment());
  }
  const auto* name = first > mark ? scratch_[first - 1]->try_as<QualifiedName>() : nullptr;
  if (name != nullptr && is_statement_name(name->name)) {
    scratch_[first - 1] = make_statement_call(name, first);
    return;
  }
  if (comma == nullptr) {
    const Expression* statement = scratch_.back();
    if (statement->kind == NodeKind::kCallNamedFunctionExpression) {
      auto* call = const_cast<CallNamedFunctionExpression*>(
          static_cast<const CallNamedFunctionExpression*>(statement));
      call->value_required = false;
    }
    return;
  }
  // The reference reports this only after the whole block.
  if (name != nullptr) {
    late.push_back(
        make(Issue::kArgumentsToNonStatement, comma->location(), {std::string(name->name.text())}));
  } else {
    late.push_back(make(Issue::kIllegalArgumentList, comma->location()));
  }
}

const Expression* Parser::make_statement_call(const Expression* name, size_t first_argument) {
  const Location location = between(name->location, scratch_.back()->location);
  auto* call = node<CallNamedFunctionExpression>(location);
  call->functor = name;
  call->arguments = collect<Expression>(first_argument);
  call->value_required = false;
  return call;
}

const Expression* Parser::parse_template() {
  const Token& start = take();
  auto* lambda = node<LambdaExpression>(start.location());
  auto* epp = node<EppExpression>({start.offset, 0});
  lambda->body = epp;
  bool has_parameters = false;
  try {
    if (take_if(TokenKind::kPipe)) {
      has_parameters = true;
      lambda->parameters = parse_parameters(TokenKind::kPipe);
      expect(TokenKind::kPipe);
    }
  } catch (const SyntaxFailure&) {
    if (is_abandoned_) return lambda;
    recover(braces_, false);
  }
  epp->parameters_specified = has_parameters;
  try {
    epp->body = body_of(parse_statements(TokenKind::kEndOfInput), start.location());
  } catch (const SyntaxFailure&) {
    // Abandoned: the tree so far may be inspected.
  }
  return lambda;
}

// Returns whether the braces at the current token are a block: only the token after their first
// entry or statement distinguishes it from a hash. That part is parsed twice. The answer for inner
// braces is stored, otherwise each level would double the work.
bool Parser::is_block_at_brace() {
  auto known = braces_in_templates_.find(at_);
  if (known != braces_in_templates_.end()) return known->second;
  const Token* before = at_;
  const size_t definitions = definitions_.size();
  const size_t scratch = scratch_.size();
  const size_t reported = reported_.size();
  take();
  bool is_hash = at_entry_keyword();
  if (!is_hash) {
    parse_assignment();
    is_hash = is_at(TokenKind::kFatArrow);
  }
  while (at_ != before) {
    --at_;
    if (is_at(TokenKind::kLeftBrace) || is_at(TokenKind::kSelectorBrace)) --braces_;
    if (is_at(TokenKind::kRightBrace)) ++braces_;
  }
  definitions_.resize(definitions);
  scratch_.resize(scratch);
  reported_.erase(reported_.begin() + static_cast<ptrdiff_t>(reported), reported_.end());
  braces_in_templates_.emplace(at_, !is_hash);
  return !is_hash;
}

const Expression* Parser::parse_render_expression() {
  const Token& start = take();
  const Expression* expression = nullptr;
  const bool is_block =
      is_at(TokenKind::kLeftBrace) && kind_after() != TokenKind::kRightBrace && is_block_at_brace();
  if (is_block) {
    Braces braces{};
    const Statements statements = parse_braced(braces);
    expression = block_or_expression(statements, braces);
  } else {
    expression = parse_expression();
  }
  if (!is_at(TokenKind::kEppEnd) && !is_at(TokenKind::kEppEndTrim)) {
    unexpected({TokenKind::kEppEnd, TokenKind::kEppEndTrim});
  }
  const Token& end = take();
  auto* render = node<RenderExpression>(between(start.location(), end.location()));
  render->expression = expression;
  return render;
}

}  // namespace bunraku
