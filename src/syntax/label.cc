#include "syntax/label.h"

namespace bunraku {
namespace {

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "' expression";
}

}  // namespace

std::string label(const Expression& expression) {
  switch (expression.kind) {
    case NodeKind::kNop:
      return "Nop Expression";
    case NodeKind::kLiteralUndef:
      return "'undef' expression";
    case NodeKind::kLiteralDefault:
      return "'default' expression";
    case NodeKind::kLiteralBoolean:
      return "Boolean";
    case NodeKind::kLiteralInteger:
      return "Literal Integer";
    case NodeKind::kLiteralFloat:
      return "Literal Float";
    case NodeKind::kLiteralString:
      return "String";
    case NodeKind::kLiteralRegularExpression:
      return "Regular Expression";
    case NodeKind::kLiteralList:
      return "Array Expression";
    case NodeKind::kLiteralHash:
      return "Hash Expression";
    case NodeKind::kConcatenatedString:
      return "Double Quoted String";
    case NodeKind::kTextExpression:
      return "Expression in Interpolated String";
    case NodeKind::kHeredocExpression:
      return "'@(" + std::string(expression.as<HeredocExpression>().syntax) + ")' expression";
    case NodeKind::kQualifiedName:
      return "Name";
    case NodeKind::kQualifiedReference:
      return "Type-Name";
    case NodeKind::kReservedWord:
      return "Reserved Word '" + std::string(expression.as<ReservedWord>().word) + "'";
    case NodeKind::kVariableExpression:
      return "Variable";
    case NodeKind::kParenthesizedExpression:
      return "Parenthesized Expression";
    case NodeKind::kNotExpression:
      return "'not' expression";
    case NodeKind::kUnaryMinusExpression:
      return "Unary Minus";
    case NodeKind::kUnfoldExpression:
      return "Unfold";
    case NodeKind::kAndExpression:
      return "'and' expression";
    case NodeKind::kOrExpression:
      return "'or' expression";
    case NodeKind::kInExpression:
      return "'in' expression";
    case NodeKind::kMatchExpression:
    case NodeKind::kComparisonExpression:
    case NodeKind::kArithmeticExpression:
    case NodeKind::kAssignmentExpression:
    case NodeKind::kRelationshipExpression:
      // Nodes of two operands differ only in their kind.
      return quoted(text_of(expression.as<BinaryExpression>().op));
    case NodeKind::kNamedAccessExpression:
      return "'.' expression";
    case NodeKind::kAccessExpression:
      return "'[]' expression";
    case NodeKind::kCallNamedFunctionExpression:
      return "Function Call";
    case NodeKind::kCallMethodExpression:
      return "Method call";
    case NodeKind::kLambdaExpression:
      return "Lambda";
    case NodeKind::kParameter:
      return "Parameter Definition";
    case NodeKind::kIfExpression:
      return "'if' statement";
    case NodeKind::kUnlessExpression:
      return "'unless' Statement";
    case NodeKind::kCaseExpression:
      return "'case' statement";
    case NodeKind::kCaseOption:
      return "Case Option";
    case NodeKind::kSelectorExpression:
      return "Selector Expression";
    case NodeKind::kSelectorEntry:
      return "Selector Option";
    case NodeKind::kKeyedEntry:
      return "Hash Entry";
    case NodeKind::kBlockExpression:
      return "Block Expression";
    case NodeKind::kResourceExpression:
      return "Resource Statement";
    case NodeKind::kResourceBody:
      return "Resource Instance Definition";
    case NodeKind::kAttributeOperation:
      return quoted(text_of(expression.as<AttributeOperation>().op));
    case NodeKind::kAttributesOperation:
      return "Object";
    case NodeKind::kResourceDefaultsExpression:
      return "Resource Defaults Expression";
    case NodeKind::kResourceOverrideExpression:
      return "Resource Override";
    case NodeKind::kCollectExpression:
      return label(*expression.as<CollectExpression>().query);
    case NodeKind::kVirtualQuery:
      return "Virtual Query";
    case NodeKind::kExportedQuery:
      return "Exported Query";
    case NodeKind::kHostClassDefinition:
      return "Host Class Definition";
    case NodeKind::kResourceTypeDefinition:
      return "'define' expression";
    case NodeKind::kNodeDefinition:
      return "Node Definition";
    case NodeKind::kFunctionDefinition:
      return "Function Definition";
    case NodeKind::kPlanDefinition:
      return "Plan Definition";
    case NodeKind::kTypeAlias:
      return "Type Alias";
    case NodeKind::kTypeMapping:
      return "Type Mapping";
    case NodeKind::kTypeDefinition:
      return "Type Definition";
    case NodeKind::kApplyExpression:
      return "'apply' expression";
    case NodeKind::kEppExpression:
      return "Epp Template";
    case NodeKind::kRenderExpression:
      return "Epp Interpolated Expression";
    case NodeKind::kRenderStringExpression:
      return "Epp Text";
  }
  return "Object";
}

std::string with_article(std::string_view label) {
  const size_t at = !label.empty() && (label[0] == '\'' || label[0] == '"') ? 1 : 0;
  constexpr std::string_view kVowels = "aeiouyAEIOUY";
  const bool is_vowel = at < label.size() && kVowels.find(label[at]) != std::string_view::npos;
  return std::string(is_vowel ? "an " : "a ").append(label);
}

std::string with_upper_case_article(std::string_view label) {
  std::string text = with_article(label);
  text[0] = 'A';
  return text;
}

}  // namespace bunraku
