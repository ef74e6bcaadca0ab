#include <utility>

#include "base/text/number_text.h"
#include "syntax/dump_internal.h"

namespace bunraku {
namespace {

class PnTransformer {
 public:
  explicit PnTransformer(const Program& program) : program_(program) {}

  Pn transform(const Expression* expression) const {
    if (expression == nullptr) return Pn::call("nop");
    switch (expression->kind) {
      case NodeKind::kNop:
        return Pn::call("nop");
      case NodeKind::kLiteralUndef:
        return Pn::literal("nil");
      case NodeKind::kLiteralDefault:
        return Pn::call("default");
      case NodeKind::kLiteralBoolean:
        return Pn::literal(expression->as<LiteralBoolean>().value ? "true" : "false");
      case NodeKind::kLiteralInteger:
        return integer(expression->as<LiteralInteger>());
      case NodeKind::kLiteralFloat:
        return Pn::literal(float_text(expression->as<LiteralFloat>().value));
      case NodeKind::kLiteralString:
        return Pn::string(expression->as<LiteralString>().value);
      case NodeKind::kLiteralRegularExpression:
        return Pn::call("regexp", {regex(expression->as<LiteralRegularExpression>().pattern)});
      case NodeKind::kLiteralList:
        return call("array", expression->as<LiteralList>().values);
      case NodeKind::kLiteralHash:
        return call("hash", expression->as<LiteralHash>().entries);
      case NodeKind::kKeyedEntry: {
        const auto& entry = expression->as<KeyedEntry>();
        return Pn::call("=>", {transform(entry.key), transform(entry.value)});
      }
      case NodeKind::kConcatenatedString:
        return call("concat", expression->as<ConcatenatedString>().segments);
      case NodeKind::kTextExpression:
        return Pn::call("str", {transform(expression->as<TextExpression>().expression)});
      case NodeKind::kHeredocExpression:
        return heredoc(expression->as<HeredocExpression>());
      case NodeKind::kQualifiedName:
        return Pn::call("qn", {Pn::string(expression->as<QualifiedName>().name.text())});
      case NodeKind::kQualifiedReference:
        return Pn::call("qr", {Pn::string(expression->as<QualifiedReference>().cased.text())});
      case NodeKind::kReservedWord:
        return Pn::call("reserved", {Pn::string(expression->as<ReservedWord>().word)});
      case NodeKind::kVariableExpression:
        return Pn::call("var", {Pn::string(expression->as<VariableExpression>().name.text())});
      case NodeKind::kParenthesizedExpression:
        return unary("paren", expression->as<ParenthesizedExpression>().expression);
      case NodeKind::kNotExpression:
        return unary("!", expression->as<NotExpression>().expression);
      case NodeKind::kUnaryMinusExpression:
        return minus(expression->as<UnaryMinusExpression>());
      case NodeKind::kUnfoldExpression:
        return unary("unfold", expression->as<UnfoldExpression>().expression);
      case NodeKind::kAndExpression:
        return binary(expression->as<AndExpression>(), "and");
      case NodeKind::kOrExpression:
        return binary(expression->as<OrExpression>(), "or");
      case NodeKind::kInExpression:
        return binary(expression->as<InExpression>(), "in");
      case NodeKind::kMatchExpression:
        return binary(expression->as<MatchExpression>());
      case NodeKind::kComparisonExpression:
        return binary(expression->as<ComparisonExpression>());
      case NodeKind::kArithmeticExpression:
        return binary(expression->as<ArithmeticExpression>());
      case NodeKind::kAssignmentExpression:
        return binary(expression->as<AssignmentExpression>());
      case NodeKind::kRelationshipExpression:
        return binary(expression->as<RelationshipExpression>());
      case NodeKind::kNamedAccessExpression:
        return binary(expression->as<NamedAccessExpression>(), ".");
      case NodeKind::kAccessExpression: {
        const auto& access = expression->as<AccessExpression>();
        std::vector<Pn> items;
        items.push_back(transform(access.left));
        for (const Expression* key : access.keys) items.push_back(transform(key));
        return Pn::call("access", std::move(items));
      }
      case NodeKind::kCallNamedFunctionExpression: {
        const auto& called = expression->as<CallNamedFunctionExpression>();
        return function_call(called, called.value_required ? "call" : "invoke");
      }
      case NodeKind::kCallMethodExpression: {
        const auto& called = expression->as<CallMethodExpression>();
        return function_call(called, called.value_required ? "call-method" : "invoke-method");
      }
      case NodeKind::kLambdaExpression:
        return lambda(expression->as<LambdaExpression>());
      case NodeKind::kParameter:
        return Pn::map();  // only printed by its owner
      case NodeKind::kIfExpression:
        return conditional(expression->as<IfExpression>(), "if");
      case NodeKind::kUnlessExpression:
        return conditional(expression->as<UnlessExpression>(), "unless");
      case NodeKind::kCaseExpression: {
        const auto& selection = expression->as<CaseExpression>();
        return Pn::call("case", {transform(selection.test), list(selection.options)});
      }
      case NodeKind::kCaseOption: {
        const auto& option = expression->as<CaseOption>();
        Pn map = Pn::map();
        map.add("when", list(option.values));
        map.add("then", block(option.then_part));
        return map;
      }
      case NodeKind::kSelectorExpression: {
        const auto& selector = expression->as<SelectorExpression>();
        return Pn::call("?", {transform(selector.left), list(selector.selectors)});
      }
      case NodeKind::kSelectorEntry: {
        const auto& entry = expression->as<SelectorEntry>();
        return Pn::call("=>", {transform(entry.matching), transform(entry.value)});
      }
      case NodeKind::kBlockExpression:
        return call("block", expression->as<BlockExpression>().statements);
      case NodeKind::kApplyExpression: {
        const auto& apply = expression->as<ApplyExpression>();
        Pn map = Pn::map();
        map.add("args", list(apply.arguments));
        if (apply.body != nullptr) map.add("body", block(apply.body));
        return std::move(map).as_call("apply");
      }
      case NodeKind::kEppExpression: {
        const Expression* body = expression->as<EppExpression>().body;
        return body == nullptr ? Pn::call("epp") : transform(body).as_call("epp");
      }
      case NodeKind::kRenderExpression:
        return unary("render", expression->as<RenderExpression>().expression);
      case NodeKind::kRenderStringExpression:
        return Pn::call("render-s", {Pn::string(expression->as<RenderStringExpression>().value)});
      default:
        return catalog(*expression);
    }
  }

 private:
  // Resource expressions and definitions.
  Pn catalog(const Expression& expression) const {
    switch (expression.kind) {
      case NodeKind::kResourceExpression:
        return resource(expression.as<ResourceExpression>());
      case NodeKind::kResourceBody:
        return resource_body(expression.as<ResourceBody>());
      case NodeKind::kAttributeOperation: {
        const auto& operation = expression.as<AttributeOperation>();
        return Pn::call(text_of(operation.op),
                        {Pn::string(operation.name.text()), transform(operation.value)});
      }
      case NodeKind::kAttributesOperation:
        return unary("splat-hash", expression.as<AttributesOperation>().expression);
      case NodeKind::kResourceDefaultsExpression: {
        const auto& defaults = expression.as<ResourceDefaultsExpression>();
        Pn map = Pn::map();
        map.add("type", transform(defaults.type_reference));
        map.add("ops", list(defaults.operations));
        add_form(map, defaults.form);
        return std::move(map).as_call("resource-defaults");
      }
      case NodeKind::kResourceOverrideExpression: {
        const auto& changed = expression.as<ResourceOverrideExpression>();
        Pn map = Pn::map();
        map.add("resources", transform(changed.resources));
        map.add("ops", list(changed.operations));
        add_form(map, changed.form);
        return std::move(map).as_call("resource-override");
      }
      case NodeKind::kCollectExpression: {
        const auto& collector = expression.as<CollectExpression>();
        Pn map = Pn::map();
        map.add("type", transform(collector.type_expression));
        map.add("query", transform(collector.query));
        if (!collector.operations.empty()) map.add("ops", list(collector.operations));
        return std::move(map).as_call("collect");
      }
      case NodeKind::kVirtualQuery:
        return query("virtual-query", expression.as<VirtualQuery>().expression);
      case NodeKind::kExportedQuery:
        return query("exported-query", expression.as<ExportedQuery>().expression);
      case NodeKind::kHostClassDefinition: {
        const auto& definition = expression.as<HostClassDefinition>();
        return define("class", definition.name, definition.parent, definition.parameters,
                      definition.body, nullptr);
      }
      case NodeKind::kResourceTypeDefinition: {
        const auto& definition = expression.as<ResourceTypeDefinition>();
        return define("define", definition.name, Name(), definition.parameters, definition.body,
                      nullptr);
      }
      case NodeKind::kNodeDefinition: {
        const auto& definition = expression.as<NodeDefinition>();
        Pn map = Pn::map();
        map.add("matches", list(definition.host_matches));
        if (definition.parent != nullptr) map.add("parent", transform(definition.parent));
        if (definition.body != nullptr) map.add("body", block(definition.body));
        return std::move(map).as_call("node");
      }
      case NodeKind::kFunctionDefinition: {
        const auto& definition = expression.as<FunctionDefinition>();
        return define("function", definition.name, Name(), definition.parameters, definition.body,
                      definition.return_type);
      }
      case NodeKind::kPlanDefinition: {
        const auto& definition = expression.as<PlanDefinition>();
        return define("plan", definition.name, Name(), definition.parameters, definition.body,
                      definition.return_type);
      }
      case NodeKind::kTypeAlias: {
        const auto& alias = expression.as<TypeAlias>();
        return Pn::call("type-alias",
                        {Pn::string(alias.name.text()), transform(alias.type_expression)});
      }
      case NodeKind::kTypeMapping: {
        const auto& mapping = expression.as<TypeMapping>();
        return Pn::call("type-mapping",
                        {transform(mapping.type_expression), transform(mapping.mapping)});
      }
      case NodeKind::kTypeDefinition: {
        const auto& definition = expression.as<TypeDefinition>();
        Pn parent = definition.parent ? Pn::string(definition.parent.text()) : Pn::literal("nil");
        return Pn::call("type-definition", {Pn::string(definition.name.text()), std::move(parent),
                                            transform(definition.body)});
      }
      default:
        return Pn::call("nop");
    }
  }

  // Ruby fixes the encoding of patterns beyond ASCII, and then the reference shows their options.
  static Pn regex(std::string_view pattern) {
    if (is_ascii(pattern)) return Pn::string(pattern);
    return Pn::string("(?-imx:" + std::string(pattern) + ")");
  }

  template <typename List>
  std::vector<Pn> all(const List& expressions) const {
    std::vector<Pn> items;
    items.reserve(expressions.size());
    for (const Expression* expression : expressions) items.push_back(transform(expression));
    return items;
  }
  template <typename List>
  Pn list(const List& expressions) const {
    return Pn::list(all(expressions));
  }
  template <typename List>
  Pn call(std::string_view name, const List& expressions) const {
    return Pn::call(name, all(expressions));
  }
  Pn unary(std::string_view name, const Expression* operand) const {
    return Pn::call(name, {transform(operand)});
  }
  template <typename Binary>
  Pn binary(const Binary& expression, std::string_view name = {}) const {
    return Pn::call(name.empty() ? text_of(expression.op) : name,
                    {transform(expression.left), transform(expression.right)});
  }
  // A body is always a list.
  Pn block(const Expression* body) const {
    if (const auto* found = body->try_as<BlockExpression>()) return list(found->statements);
    return Pn::list({transform(body)});
  }
  Pn integer(const LiteralInteger& literal) const {
    Pn value = Pn::literal(integer_digits(program_, literal));
    if (literal.radix == 10) return value;
    Pn map = Pn::map();
    map.add("radix", Pn::literal(std::to_string(literal.radix)));
    map.add("value", std::move(value));
    return std::move(map).as_call("int");
  }
  Pn minus(const UnaryMinusExpression& expression) const {
    if (const auto* integer = expression.expression->try_as<LiteralInteger>()) {
      return Pn::literal(integer->value == 0 ? "0" : "-" + integer_digits(program_, *integer));
    }
    if (const auto* number = expression.expression->try_as<LiteralFloat>()) {
      return Pn::literal(float_text(-number->value));
    }
    return unary("-", expression.expression);
  }
  Pn heredoc(const HeredocExpression& heredoc) const {
    Pn map = Pn::map();
    if (!heredoc.syntax.empty()) map.add("syntax", Pn::string(heredoc.syntax));
    map.add("text", transform(heredoc.text));
    return std::move(map).as_call("heredoc");
  }
  template <typename Call>
  Pn function_call(const Call& called, std::string_view name) const {
    Pn map = Pn::map();
    map.add("functor", transform(called.functor));
    map.add("args", list(called.arguments));
    if (called.lambda != nullptr) map.add("block", transform(called.lambda));
    return std::move(map).as_call(name);
  }
  Pn parameters(ParameterList list) const {
    Pn all = Pn::map();
    for (const Parameter* parameter : list) {
      Pn map = Pn::map();
      if (parameter->type != nullptr) map.add("type", transform(parameter->type));
      if (parameter->captures_rest) map.add("splat", Pn::literal("true"));
      if (parameter->value != nullptr) map.add("value", transform(parameter->value));
      all.add(parameter->name.text(), std::move(map));
    }
    return all;
  }
  Pn lambda(const LambdaExpression& expression) const {
    Pn map = Pn::map();
    if (!expression.parameters.empty()) map.add("params", parameters(expression.parameters));
    if (expression.return_type != nullptr) map.add("returns", transform(expression.return_type));
    if (expression.body != nullptr) map.add("body", block(expression.body));
    return std::move(map).as_call("lambda");
  }
  template <typename Conditional>
  Pn conditional(const Conditional& expression, std::string_view name) const {
    Pn map = Pn::map();
    map.add("test", transform(expression.test));
    if (expression.then_part->kind != NodeKind::kNop) map.add("then", block(expression.then_part));
    if (expression.else_part->kind != NodeKind::kNop) map.add("else", block(expression.else_part));
    return std::move(map).as_call(name);
  }
  static void add_form(Pn& map, ResourceForm form) {
    if (form == ResourceForm::kRegular) return;
    map.add("form", Pn::string(form == ResourceForm::kVirtual ? "virtual" : "exported"));
  }
  Pn resource(const ResourceExpression& expression) const {
    Pn map = Pn::map();
    map.add("type", transform(expression.type_name));
    map.add("bodies", list(expression.bodies));
    add_form(map, expression.form);
    return std::move(map).as_call("resource");
  }
  Pn resource_body(const ResourceBody& body) const {
    Pn map = Pn::map();
    map.add("title", transform(body.title));
    map.add("ops", list(body.operations));
    return map;
  }
  Pn query(std::string_view name, const Expression* expression) const {
    return expression == nullptr ? Pn::call(name) : unary(name, expression);
  }
  Pn define(std::string_view kind, Name name, Name parent, ParameterList list,
            const Expression* body, const Expression* return_type) const {
    Pn map = Pn::map();
    map.add("name", Pn::string(name.text()));
    if (parent) map.add("parent", Pn::string(parent.text()));
    if (!list.empty()) map.add("params", parameters(list));
    if (body != nullptr) map.add("body", block(body));
    if (return_type != nullptr) map.add("returns", transform(return_type));
    return std::move(map).as_call(kind);
  }

  const Program& program_;
};

}  // namespace

Pn to_pn(const Program& program) {
  return PnTransformer(program).transform(program.body);
}

}  // namespace bunraku
