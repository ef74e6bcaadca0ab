#include <vector>

#include "syntax/parser_internal.h"

namespace bunraku {

// A chain of elsif of any length is parsed in a loop; the nodes are then nested from the last to
// the first.
const Expression* Parser::parse_if() {
  struct Branch {
    const Token* keyword;
    const Expression* test;
    const Expression* then_part;
    Location end;
  };
  std::vector<Branch> branches;
  const Expression* else_part = nullptr;
  do {
    const Token& keyword = take();
    const Expression* test = parse_expression();
    Braces braces{};
    const Statements statements = parse_braced(braces);
    branches.push_back(
        {&keyword, test, block_or_expression(statements, braces), braces.right->location()});
    grow();
  } while (is_at(TokenKind::kElsif));
  if (take_if(TokenKind::kElse)) {
    Braces braces{};
    const Statements statements = parse_braced(braces);
    else_part = block_or_expression(statements, braces);
  }
  for (size_t i = branches.size(); i-- > 0;) {
    const Branch& branch = branches[i];
    const Location end = else_part != nullptr ? else_part->location : branch.end;
    auto* made = node<IfExpression>(between(branch.keyword->location(), end));
    made->test = branch.test;
    made->then_part = branch.then_part != nullptr ? branch.then_part : nop(branch.end);
    made->else_part = else_part != nullptr ? else_part : nop(branch.end);
    else_part = made;
  }
  return else_part;
}

const Expression* Parser::parse_unless() {
  const Token& keyword = take();
  const Expression* test = parse_expression();
  Braces braces{};
  const Statements statements = parse_braced(braces);
  const Expression* then_part = block_or_expression(statements, braces);
  const Expression* else_part = nullptr;
  if (take_if(TokenKind::kElse)) {
    Braces else_braces{};
    const Statements else_statements = parse_braced(else_braces);
    else_part = block_or_expression(else_statements, else_braces);
  }
  auto* made = node<UnlessExpression>(between(keyword.location(), braces.right->location()));
  made->test = test;
  made->then_part = then_part != nullptr ? then_part : nop(braces.right->location());
  made->else_part = else_part != nullptr ? else_part : nop(braces.right->location());
  return made;
}

const Expression* Parser::parse_case() {
  const Token& keyword = take();
  const Expression* test = parse_expression();
  expect(TokenKind::kLeftBrace);
  const size_t mark = scratch_.size();
  do {
    scratch_.push_back(parse_case_option());
  } while (!is_at(TokenKind::kRightBrace));
  auto options = collect<CaseOption>(mark);
  const Token& end = take();
  auto* made = node<CaseExpression>(between(keyword.location(), end.location()));
  made->test = test;
  made->options = options;
  return made;
}

const CaseOption* Parser::parse_case_option() {
  const size_t mark = scratch_.size();
  do {
    scratch_.push_back(parse_expression());
  } while (take_if(TokenKind::kComma));
  const ExpressionList values = collect<Expression>(mark);
  const Token& colon = expect(TokenKind::kColon);
  Braces braces{};
  const Statements statements = parse_braced(braces);
  auto* option = node<CaseOption>(between(colon.location(), braces.right->location()));
  const Expression* body = body_of(statements, option->location);
  option->values = values;
  option->then_part = body != nullptr ? body : nop(braces.right->location());
  return option;
}

}  // namespace bunraku
