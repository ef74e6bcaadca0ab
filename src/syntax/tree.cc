#include "syntax/tree.h"

#include <array>

namespace bunraku {

std::string_view name_of(NodeKind kind) {
  static constexpr std::array<std::string_view, 64> kNames = {"Nop",
                                                              "LiteralUndef",
                                                              "LiteralDefault",
                                                              "LiteralBoolean",
                                                              "LiteralInteger",
                                                              "LiteralFloat",
                                                              "LiteralString",
                                                              "LiteralRegularExpression",
                                                              "LiteralList",
                                                              "LiteralHash",
                                                              "ConcatenatedString",
                                                              "TextExpression",
                                                              "HeredocExpression",
                                                              "QualifiedName",
                                                              "QualifiedReference",
                                                              "ReservedWord",
                                                              "VariableExpression",
                                                              "ParenthesizedExpression",
                                                              "NotExpression",
                                                              "UnaryMinusExpression",
                                                              "UnfoldExpression",
                                                              "AndExpression",
                                                              "OrExpression",
                                                              "InExpression",
                                                              "MatchExpression",
                                                              "ComparisonExpression",
                                                              "ArithmeticExpression",
                                                              "AssignmentExpression",
                                                              "RelationshipExpression",
                                                              "NamedAccessExpression",
                                                              "AccessExpression",
                                                              "CallNamedFunctionExpression",
                                                              "CallMethodExpression",
                                                              "LambdaExpression",
                                                              "Parameter",
                                                              "IfExpression",
                                                              "UnlessExpression",
                                                              "CaseExpression",
                                                              "CaseOption",
                                                              "SelectorExpression",
                                                              "SelectorEntry",
                                                              "KeyedEntry",
                                                              "BlockExpression",
                                                              "ResourceExpression",
                                                              "ResourceBody",
                                                              "AttributeOperation",
                                                              "AttributesOperation",
                                                              "ResourceDefaultsExpression",
                                                              "ResourceOverrideExpression",
                                                              "CollectExpression",
                                                              "VirtualQuery",
                                                              "ExportedQuery",
                                                              "HostClassDefinition",
                                                              "ResourceTypeDefinition",
                                                              "NodeDefinition",
                                                              "FunctionDefinition",
                                                              "PlanDefinition",
                                                              "TypeAlias",
                                                              "TypeMapping",
                                                              "TypeDefinition",
                                                              "ApplyExpression",
                                                              "EppExpression",
                                                              "RenderExpression",
                                                              "RenderStringExpression"};
  static_assert(kNames.size() == static_cast<size_t>(NodeKind::kRenderStringExpression) + 1);
  return kNames[static_cast<size_t>(kind)];
}

std::string_view text_of(Operator op) {
  static constexpr std::array<std::string_view, 25> kTexts = {
      "",  "=",  "+=", "-=", "+",  "-",  "*",  "/",  "%",  "<<", ">>", "==", "!=",
      "<", "<=", ">",  ">=", "=~", "!~", "->", "~>", "<-", "<~", "=>", "+>"};
  static_assert(kTexts.size() == static_cast<size_t>(Operator::kAddTo) + 1);
  return kTexts[static_cast<size_t>(op)];
}

}  // namespace bunraku
