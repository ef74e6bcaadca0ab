#include <algorithm>

#include "validation/checker.h"

namespace bunraku {
namespace {

bool are_idempotent(ExpressionList expressions) {
  return std::ranges::all_of(
      expressions, [](const Expression* expression) { return is_idempotent(*expression); });
}

}  // namespace

bool is_resource_without_title(const Expression& expression) {
  const auto* block = expression.try_as<BlockExpression>();
  return block != nullptr && block->statements.size() == 2 &&
         block->statements[0]->kind == NodeKind::kQualifiedName &&
         block->statements[1]->kind == NodeKind::kLiteralHash;
}

bool is_idempotent(const Expression& expression) {
  switch (expression.kind) {
    case NodeKind::kNop:
    case NodeKind::kLiteralUndef:
    case NodeKind::kLiteralDefault:
    case NodeKind::kLiteralBoolean:
    case NodeKind::kLiteralInteger:
    case NodeKind::kLiteralFloat:
    case NodeKind::kLiteralString:
    case NodeKind::kLiteralRegularExpression:
    case NodeKind::kLiteralList:
    case NodeKind::kLiteralHash:
    case NodeKind::kConcatenatedString:
    case NodeKind::kTextExpression:
    case NodeKind::kHeredocExpression:
    case NodeKind::kQualifiedName:
    case NodeKind::kQualifiedReference:
    case NodeKind::kReservedWord:
    case NodeKind::kVariableExpression:
    case NodeKind::kNotExpression:
    case NodeKind::kUnaryMinusExpression:
    case NodeKind::kUnfoldExpression:
    case NodeKind::kAndExpression:
    case NodeKind::kOrExpression:
    case NodeKind::kInExpression:
    case NodeKind::kComparisonExpression:
    case NodeKind::kArithmeticExpression:
    case NodeKind::kNamedAccessExpression:
    case NodeKind::kAccessExpression:
    case NodeKind::kSelectorExpression:
      return true;
    case NodeKind::kParenthesizedExpression:
      return is_idempotent(*expression.as<ParenthesizedExpression>().expression);
    case NodeKind::kBlockExpression:
      return are_idempotent(expression.as<BlockExpression>().statements);
    case NodeKind::kIfExpression:
    case NodeKind::kUnlessExpression: {
      // Both kinds have the same layout.
      const auto& conditional = expression.as<ConditionalExpression>();
      return is_idempotent(*conditional.test) && is_idempotent(*conditional.then_part) &&
             is_idempotent(*conditional.else_part);
    }
    case NodeKind::kCaseExpression: {
      const auto& selection = expression.as<CaseExpression>();
      return is_idempotent(*selection.test) &&
             std::ranges::all_of(selection.options,
                                 [](const CaseOption* option) { return is_idempotent(*option); });
    }
    case NodeKind::kCaseOption: {
      const auto& option = expression.as<CaseOption>();
      return are_idempotent(option.values) && is_idempotent(*option.then_part);
    }
    default:
      return false;
  }
}

}  // namespace bunraku
