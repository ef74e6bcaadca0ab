// Traversal of trees: the children of a node in the reference's order. Empty parts (null, or the
// Nop of an empty branch) are omitted.
#pragma once

#include "syntax/tree.h"

namespace bunraku {

template <typename Visit>
void for_each_child(const Expression& node, Visit&& visit) {
  auto one = [&](const Expression* child) {
    if (child != nullptr && child->kind != NodeKind::kNop) visit(*child);
  };
  auto all = [&](const auto& children) {
    for (const Expression* child : children) one(child);
  };
  auto function = [&](const auto& definition) {
    all(definition.parameters);
    one(definition.body);
    one(definition.return_type);
  };
  switch (node.kind) {
    case NodeKind::kNop:
    case NodeKind::kLiteralUndef:
    case NodeKind::kLiteralDefault:
    case NodeKind::kLiteralBoolean:
    case NodeKind::kLiteralInteger:
    case NodeKind::kLiteralFloat:
    case NodeKind::kLiteralString:
    case NodeKind::kLiteralRegularExpression:
    case NodeKind::kQualifiedName:
    case NodeKind::kQualifiedReference:
    case NodeKind::kReservedWord:
    case NodeKind::kVariableExpression:
    case NodeKind::kRenderStringExpression:
      break;
    case NodeKind::kLiteralList:
      all(node.as<LiteralList>().values);
      break;
    case NodeKind::kLiteralHash:
      all(node.as<LiteralHash>().entries);
      break;
    case NodeKind::kKeyedEntry:
      one(node.as<KeyedEntry>().key);
      one(node.as<KeyedEntry>().value);
      break;
    case NodeKind::kConcatenatedString:
      all(node.as<ConcatenatedString>().segments);
      break;
    case NodeKind::kTextExpression:
      one(node.as<TextExpression>().expression);
      break;
    case NodeKind::kHeredocExpression:
      one(node.as<HeredocExpression>().text);
      break;
    case NodeKind::kParenthesizedExpression:
    case NodeKind::kNotExpression:
    case NodeKind::kUnaryMinusExpression:
    case NodeKind::kUnfoldExpression:
    case NodeKind::kRenderExpression:
      one(node.as<UnaryExpression>().expression);
      break;
    case NodeKind::kAndExpression:
    case NodeKind::kOrExpression:
    case NodeKind::kInExpression:
    case NodeKind::kMatchExpression:
    case NodeKind::kComparisonExpression:
    case NodeKind::kArithmeticExpression:
    case NodeKind::kAssignmentExpression:
    case NodeKind::kRelationshipExpression:
    case NodeKind::kNamedAccessExpression: {
      const auto& binary = node.as<BinaryExpression>();
      one(binary.left);
      one(binary.right);
      break;
    }
    case NodeKind::kAccessExpression:
      one(node.as<AccessExpression>().left);
      all(node.as<AccessExpression>().keys);
      break;
    case NodeKind::kCallNamedFunctionExpression: {
      const auto& call = node.as<CallNamedFunctionExpression>();
      one(call.functor);
      all(call.arguments);
      one(call.lambda);
      break;
    }
    case NodeKind::kCallMethodExpression: {
      const auto& call = node.as<CallMethodExpression>();
      one(call.functor);
      all(call.arguments);
      one(call.lambda);
      break;
    }
    case NodeKind::kLambdaExpression:
      function(node.as<LambdaExpression>());
      break;
    case NodeKind::kParameter:
      one(node.as<Parameter>().value);
      one(node.as<Parameter>().type);
      break;
    case NodeKind::kIfExpression:
    case NodeKind::kUnlessExpression: {
      const auto& conditional = node.as<ConditionalExpression>();
      one(conditional.test);
      one(conditional.then_part);
      one(conditional.else_part);
      break;
    }
    case NodeKind::kCaseExpression:
      one(node.as<CaseExpression>().test);
      all(node.as<CaseExpression>().options);
      break;
    case NodeKind::kCaseOption:
      all(node.as<CaseOption>().values);
      one(node.as<CaseOption>().then_part);
      break;
    case NodeKind::kSelectorExpression:
      one(node.as<SelectorExpression>().left);
      all(node.as<SelectorExpression>().selectors);
      break;
    case NodeKind::kSelectorEntry:
      one(node.as<SelectorEntry>().matching);
      one(node.as<SelectorEntry>().value);
      break;
    case NodeKind::kBlockExpression:
      all(node.as<BlockExpression>().statements);
      break;
    case NodeKind::kResourceExpression:
      one(node.as<ResourceExpression>().type_name);
      all(node.as<ResourceExpression>().bodies);
      break;
    case NodeKind::kResourceBody:
      one(node.as<ResourceBody>().title);
      all(node.as<ResourceBody>().operations);
      break;
    case NodeKind::kAttributeOperation:
      one(node.as<AttributeOperation>().value);
      break;
    case NodeKind::kAttributesOperation:
      one(node.as<AttributesOperation>().expression);
      break;
    case NodeKind::kResourceDefaultsExpression:
      one(node.as<ResourceDefaultsExpression>().type_reference);
      all(node.as<ResourceDefaultsExpression>().operations);
      break;
    case NodeKind::kResourceOverrideExpression:
      one(node.as<ResourceOverrideExpression>().resources);
      all(node.as<ResourceOverrideExpression>().operations);
      break;
    case NodeKind::kCollectExpression:
      one(node.as<CollectExpression>().type_expression);
      one(node.as<CollectExpression>().query);
      all(node.as<CollectExpression>().operations);
      break;
    case NodeKind::kVirtualQuery:
      one(node.as<VirtualQuery>().expression);
      break;
    case NodeKind::kExportedQuery:
      one(node.as<ExportedQuery>().expression);
      break;
    case NodeKind::kHostClassDefinition:
      all(node.as<HostClassDefinition>().parameters);
      one(node.as<HostClassDefinition>().body);
      break;
    case NodeKind::kResourceTypeDefinition:
      all(node.as<ResourceTypeDefinition>().parameters);
      one(node.as<ResourceTypeDefinition>().body);
      break;
    case NodeKind::kNodeDefinition:
      one(node.as<NodeDefinition>().parent);
      all(node.as<NodeDefinition>().host_matches);
      one(node.as<NodeDefinition>().body);
      break;
    case NodeKind::kFunctionDefinition:
      function(node.as<FunctionDefinition>());
      break;
    case NodeKind::kPlanDefinition:
      function(node.as<PlanDefinition>());
      break;
    case NodeKind::kTypeAlias:
      one(node.as<TypeAlias>().type_expression);
      break;
    case NodeKind::kTypeMapping:
      one(node.as<TypeMapping>().type_expression);
      one(node.as<TypeMapping>().mapping);
      break;
    case NodeKind::kTypeDefinition:
      one(node.as<TypeDefinition>().body);
      break;
    case NodeKind::kApplyExpression:
      all(node.as<ApplyExpression>().arguments);
      one(node.as<ApplyExpression>().body);
      break;
    case NodeKind::kEppExpression:
      one(node.as<EppExpression>().body);
      break;
  }
}

}  // namespace bunraku
