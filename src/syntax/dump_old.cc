#include <fmt/core.h>

#include <vector>

#include "base/text/ascii.h"
#include "base/text/number_text.h"
#include "syntax/dump_internal.h"

namespace bunraku {
namespace {

// The reference first makes nested lists of texts and layout marks and then joins them. Both steps
// are separate here too, because a part that it joins early (the operand of !) affects the
// indentation of the following text.
struct Part {
  enum class Kind : uint8_t { kText, kOpen, kClose, kBreak, kIndent, kDedent };
  Kind kind;
  std::string text;
};

// Returns whether a line of the text ends with a blank or an opening parenthesis.
bool ends_open(const std::string& text) {
  for (size_t i = 1; i <= text.size(); ++i) {
    const bool is_line_end = i == text.size() || text[i] == '\n';
    if (is_line_end && (is_white(text[i - 1]) || text[i - 1] == '(')) return true;
  }
  return false;
}

// Returns whether a line of the text begins with a blank.
bool begins_blank(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if ((i == 0 || text[i - 1] == '\n') && is_white(text[i])) return true;
  }
  return false;
}

// Ruby's Regexp#inspect; patterns beyond ASCII are shown as by Regexp#to_s.
std::string inspect_regex(std::string_view pattern) {
  if (!is_ascii(pattern)) return "/(?-mix:" + std::string(pattern) + ")/";
  std::string text = "/";
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      text += c;
      text += pattern[++i];
    } else if (c == '/') {
      text += "\\/";
    } else if ((static_cast<unsigned char>(c) < 0x20 && !is_white(c)) || c == 0x7f) {
      text += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "/";
}

class OldDumper {
 public:
  OldDumper(std::string& to, const Program& program) : to_(to), program_(program) {}

  void run() {
    add(program_.body);
    to_ += join(parts_);
  }

 private:
  // An opening parenthesis, which is closed at the end of the scope.
  class List {
   public:
    explicit List(OldDumper& dumper) : dumper_(dumper) { dumper_.mark(Part::Kind::kOpen); }
    ~List() { dumper_.mark(Part::Kind::kClose); }
    List(const List&) = delete;
    List& operator=(const List&) = delete;

   private:
    OldDumper& dumper_;
  };

  void mark(Part::Kind kind) { parts_.push_back({kind, {}}); }
  void text(std::string_view text) { parts_.push_back({Part::Kind::kText, std::string(text)}); }
  void line() { mark(Part::Kind::kBreak); }
  void indent() { mark(Part::Kind::kIndent); }
  void dedent() { mark(Part::Kind::kDedent); }

  std::string join(const std::vector<Part>& parts) {
    std::vector<std::string> texts;
    for (const Part& part : parts) {
      switch (part.kind) {
        case Part::Kind::kText:
          texts.push_back(part.text);
          break;
        case Part::Kind::kOpen:
          texts.emplace_back("(");
          break;
        case Part::Kind::kClose:
          texts.emplace_back(")");
          break;
        case Part::Kind::kBreak:
          texts.push_back("\n" + std::string(static_cast<size_t>(indentation_) * 2, ' '));
          break;
        case Part::Kind::kIndent:
          ++indentation_;
          break;
        case Part::Kind::kDedent:
          --indentation_;
          break;
      }
    }
    std::string joined;
    for (size_t i = 0; i < texts.size(); ++i) {
      if (i > 0 && texts[i] != ")" && !ends_open(texts[i - 1]) && !begins_blank(texts[i])) {
        joined += ' ';
      }
      joined += texts[i];
    }
    return joined;
  }

  // The text of an expression, joined immediately.
  std::string joined(const Expression* expression) {
    std::vector<Part> outer;
    outer.swap(parts_);
    add(expression);
    outer.swap(parts_);
    return join(outer);
  }

  template <typename ListOfExpressions>
  void all(const ListOfExpressions& expressions) {
    for (const Expression* expression : expressions) add(expression);
  }
  template <typename ListOfExpressions>
  void on_lines(const ListOfExpressions& expressions) {
    for (const Expression* expression : expressions) {
      line();
      add(expression);
    }
  }
  void unary(std::string_view name, const Expression* operand) {
    const List list(*this);
    text(name);
    add(operand);
  }
  template <typename Binary>
  void binary(const Binary& expression, std::string_view name = {}) {
    const List list(*this);
    text(name.empty() ? text_of(expression.op) : name);
    add(expression.left);
    add(expression.right);
  }
  void body(const Expression* expression) {
    if (expression != nullptr) return add(expression);
    const List list(*this);
  }
  void parameters(ParameterList parameters) {
    if (parameters.empty()) return;
    const List list(*this);
    text("parameters");
    all(parameters);
  }
  // Adds nil in place of a Nop, as in the reference.
  void add_or_nil(const Expression* expression) {
    if (expression == nullptr || expression->kind == NodeKind::kNop) return text("()");
    add(expression);
  }

  void add(const Expression* expression) {
    if (expression == nullptr) return text("()");
    switch (expression->kind) {
      case NodeKind::kNop:
        return text(":nop");
      case NodeKind::kLiteralUndef:
        return text(":undef");
      case NodeKind::kLiteralDefault:
        return text(":default");
      case NodeKind::kLiteralBoolean:
        return text(expression->as<LiteralBoolean>().value ? "true" : "false");
      case NodeKind::kLiteralInteger:
        return integer(expression->as<LiteralInteger>());
      case NodeKind::kLiteralFloat:
        return text(float_text(expression->as<LiteralFloat>().value));
      case NodeKind::kLiteralString:
        return text("'" + std::string(expression->as<LiteralString>().value) + "'");
      case NodeKind::kLiteralRegularExpression:
        return text(inspect_regex(expression->as<LiteralRegularExpression>().pattern));
      case NodeKind::kLiteralList: {
        const List list(*this);
        text("[]");
        return all(expression->as<LiteralList>().values);
      }
      case NodeKind::kLiteralHash: {
        const List list(*this);
        text("{}");
        return all(expression->as<LiteralHash>().entries);
      }
      case NodeKind::kKeyedEntry: {
        const List list(*this);
        add(expression->as<KeyedEntry>().key);
        return add(expression->as<KeyedEntry>().value);
      }
      case NodeKind::kConcatenatedString: {
        const List list(*this);
        text("cat");
        return all(expression->as<ConcatenatedString>().segments);
      }
      case NodeKind::kTextExpression:
        return unary("str", expression->as<TextExpression>().expression);
      case NodeKind::kHeredocExpression: {
        const auto& heredoc = expression->as<HeredocExpression>();
        const List list(*this);
        text("@(" + std::string(heredoc.syntax) + ")");
        indent();
        line();
        add(heredoc.text);
        dedent();
        return line();
      }
      case NodeKind::kQualifiedName:
        return text(expression->as<QualifiedName>().name.text());
      case NodeKind::kQualifiedReference:
        return text(expression->as<QualifiedReference>().cased.text());
      case NodeKind::kReservedWord: {
        const List list(*this);
        text("reserved");
        return text(expression->as<ReservedWord>().word);
      }
      case NodeKind::kVariableExpression:
        return text("$" + std::string(expression->as<VariableExpression>().name.text()));
      case NodeKind::kParenthesizedExpression:
        return add(expression->as<ParenthesizedExpression>().expression);
      case NodeKind::kNotExpression: {
        const List list(*this);
        text("!");
        return text(joined(expression->as<NotExpression>().expression));
      }
      case NodeKind::kUnaryMinusExpression:
        return unary("-", expression->as<UnaryMinusExpression>().expression);
      case NodeKind::kUnfoldExpression:
        return unary("unfold", expression->as<UnfoldExpression>().expression);
      case NodeKind::kAndExpression:
        return binary(expression->as<AndExpression>(), "&&");
      case NodeKind::kOrExpression:
        return binary(expression->as<OrExpression>(), "||");
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
      case NodeKind::kAccessExpression:
        return access(expression->as<AccessExpression>());
      case NodeKind::kCallNamedFunctionExpression: {
        const auto& call = expression->as<CallNamedFunctionExpression>();
        return function_call(call, call.value_required ? "call" : "invoke");
      }
      case NodeKind::kCallMethodExpression: {
        const auto& call = expression->as<CallMethodExpression>();
        return function_call(call, call.value_required ? "call-method" : "invoke-method");
      }
      case NodeKind::kLambdaExpression: {
        const auto& lambda = expression->as<LambdaExpression>();
        const List list(*this);
        text("lambda");
        parameters(lambda.parameters);
        if (lambda.return_type != nullptr) unary("return_type", lambda.return_type);
        return body(lambda.body);
      }
      case NodeKind::kParameter:
        return parameter(expression->as<Parameter>());
      case NodeKind::kIfExpression:
        return conditional(expression->as<IfExpression>(), "if");
      case NodeKind::kUnlessExpression:
        return conditional(expression->as<UnlessExpression>(), "unless");
      case NodeKind::kCaseExpression: {
        const auto& selection = expression->as<CaseExpression>();
        const List list(*this);
        text("case");
        add(selection.test);
        indent();
        on_lines(selection.options);
        return dedent();
      }
      case NodeKind::kCaseOption:
        return case_option(expression->as<CaseOption>());
      case NodeKind::kSelectorExpression: {
        const auto& selector = expression->as<SelectorExpression>();
        const List list(*this);
        text("?");
        add(selector.left);
        return all(selector.selectors);
      }
      case NodeKind::kSelectorEntry: {
        const List list(*this);
        add(expression->as<SelectorEntry>().matching);
        text("=>");
        return add(expression->as<SelectorEntry>().value);
      }
      case NodeKind::kBlockExpression: {
        const List list(*this);
        text("block");
        indent();
        on_lines(expression->as<BlockExpression>().statements);
        dedent();
        return line();
      }
      case NodeKind::kApplyExpression: {
        const auto& apply = expression->as<ApplyExpression>();
        const List list(*this);
        text("apply");
        all(apply.arguments);
        return body(apply.body);
      }
      case NodeKind::kEppExpression: {
        const List list(*this);
        text("epp");
        return body(expression->as<EppExpression>().body);
      }
      case NodeKind::kRenderExpression:
        return unary("render", expression->as<RenderExpression>().expression);
      case NodeKind::kRenderStringExpression: {
        const List list(*this);
        text("render-s");
        return text(" '" + std::string(expression->as<RenderStringExpression>().value) + "'");
      }
      default:
        return catalog(*expression);
    }
  }

  // Resource expressions and definitions.
  void catalog(const Expression& expression) {
    switch (expression.kind) {
      case NodeKind::kResourceExpression: {
        const auto& resource = expression.as<ResourceExpression>();
        return with_form(resource.form, "resource", resource.type_name, resource.bodies);
      }
      case NodeKind::kResourceDefaultsExpression: {
        const auto& defaults = expression.as<ResourceDefaultsExpression>();
        return with_form(defaults.form, "resource-defaults", defaults.type_reference,
                         defaults.operations);
      }
      case NodeKind::kResourceOverrideExpression: {
        const auto& changed = expression.as<ResourceOverrideExpression>();
        return with_form(changed.form, "override", changed.resources, changed.operations);
      }
      case NodeKind::kResourceBody: {
        const auto& found = expression.as<ResourceBody>();
        const List list(*this);
        add(found.title);
        indent();
        on_lines(found.operations);
        return dedent();
      }
      case NodeKind::kAttributeOperation: {
        const auto& operation = expression.as<AttributeOperation>();
        const List list(*this);
        text(operation.name.text());
        text(text_of(operation.op));
        return add(operation.value);
      }
      case NodeKind::kAttributesOperation:
        return unary("* =>", expression.as<AttributesOperation>().expression);
      case NodeKind::kCollectExpression: {
        const auto& collector = expression.as<CollectExpression>();
        const List list(*this);
        text("collect");
        add(collector.type_expression);
        indent();
        line();
        add(collector.query);
        indent();
        dedent();
        return dedent();
      }
      case NodeKind::kVirtualQuery:
        return query("<| |>", expression.as<VirtualQuery>().expression);
      case NodeKind::kExportedQuery:
        return query("<<| |>>", expression.as<ExportedQuery>().expression);
      case NodeKind::kHostClassDefinition: {
        const auto& definition = expression.as<HostClassDefinition>();
        const List list(*this);
        text("class");
        text(definition.name.text());
        if (definition.parent) {
          const List parent(*this);
          text("inherits");
          text(definition.parent.text());
        }
        parameters(definition.parameters);
        return body(definition.body);
      }
      case NodeKind::kResourceTypeDefinition: {
        const auto& definition = expression.as<ResourceTypeDefinition>();
        return define("define", definition);
      }
      case NodeKind::kPlanDefinition:
        return define("plan", expression.as<PlanDefinition>());
      case NodeKind::kFunctionDefinition: {
        const auto& definition = expression.as<FunctionDefinition>();
        const List list(*this);
        text("function");
        text(definition.name.text());
        parameters(definition.parameters);
        if (definition.return_type != nullptr) unary("return_type", definition.return_type);
        return body(definition.body);
      }
      case NodeKind::kNodeDefinition: {
        const auto& definition = expression.as<NodeDefinition>();
        const List list(*this);
        text("node");
        {
          const List matches(*this);
          text("matches");
          all(definition.host_matches);
        }
        if (definition.parent != nullptr) unary("parent", definition.parent);
        return body(definition.body);
      }
      case NodeKind::kTypeAlias: {
        const List list(*this);
        text("type-alias");
        text(expression.as<TypeAlias>().name.text());
        return add(expression.as<TypeAlias>().type_expression);
      }
      case NodeKind::kTypeMapping: {
        const List list(*this);
        text("type-mapping");
        add(expression.as<TypeMapping>().type_expression);
        return add(expression.as<TypeMapping>().mapping);
      }
      case NodeKind::kTypeDefinition: {
        const auto& definition = expression.as<TypeDefinition>();
        const List list(*this);
        text("type-definition");
        text(definition.name.text());
        text(definition.parent.text());
        return add(definition.body);
      }
      default:
        return text(":nop");
    }
  }

  void integer(const LiteralInteger& literal) {
    switch (literal.radix) {
      case 8:
        return text(fmt::format("0{:o}", literal.value));
      case 16:
        return text(fmt::format("0x{:X}", literal.value));
      default:
        return text(integer_digits(program_, literal));
    }
  }
  void access(const AccessExpression& expression) {
    const List list(*this);
    text("slice");
    add(expression.left);
    if (expression.keys.size() == 1) return add(expression.keys[0]);
    const List keys(*this);
    all(expression.keys);
  }
  template <typename Call>
  void function_call(const Call& call, std::string_view name) {
    const List list(*this);
    text(name);
    add(call.functor);
    all(call.arguments);
    if (call.lambda != nullptr) add(call.lambda);
  }
  void parameter(const Parameter& parameter) {
    std::string name(parameter.captures_rest ? "*" : "");
    name += parameter.name.text();
    if (parameter.value == nullptr && parameter.type == nullptr) return text(name);
    const List list(*this);
    text(parameter.value == nullptr ? "t" : parameter.type == nullptr ? "=" : "=t");
    if (parameter.type != nullptr) add(parameter.type);
    text(name);
    if (parameter.value != nullptr) add(parameter.value);
  }
  // As in the reference, the indentation is not restored without an else part.
  template <typename Conditional>
  void conditional(const Conditional& expression, std::string_view name) {
    const List list(*this);
    text(name);
    add(expression.test);
    indent();
    line();
    branch("then", expression.then_part);
    if (expression.else_part->kind == NodeKind::kNop) return;
    line();
    branch("else", expression.else_part);
    dedent();
  }
  void branch(std::string_view name, const Expression* expression) {
    const List list(*this);
    text(name);
    indent();
    add_or_nil(expression);
    dedent();
  }
  void case_option(const CaseOption& option) {
    const List list(*this);
    text("when");
    {
      const List values(*this);
      all(option.values);
    }
    const List then_part(*this);
    text("then");
    add_or_nil(option.then_part);
  }
  template <typename ListOfExpressions>
  void with_form(ResourceForm form, std::string_view name, const Expression* type,
                 const ListOfExpressions& lines) {
    const List list(*this);
    const std::string prefix = form == ResourceForm::kRegular   ? ""
                               : form == ResourceForm::kVirtual ? "virtual-"
                                                                : "exported-";
    text(prefix + std::string(name));
    add(type);
    indent();
    on_lines(lines);
    dedent();
  }
  void query(std::string_view name, const Expression* expression) {
    const List list(*this);
    text(name);
    if (expression != nullptr) add(expression);
  }
  template <typename Definition>
  void define(std::string_view kind, const Definition& definition) {
    const List list(*this);
    text(kind);
    text(definition.name.text());
    parameters(definition.parameters);
    body(definition.body);
  }

  std::string& to_;
  const Program& program_;
  std::vector<Part> parts_;
  int indentation_ = 0;
};

}  // namespace

void dump_old(std::string& to, const Program& program) {
  OldDumper(to, program).run();
}

}  // namespace bunraku
