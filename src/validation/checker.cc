#include "validation/checker.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text/number_text.h"
#include "base/text/suggestion.h"
#include "syntax/children.h"
#include "syntax/label.h"
#include "validation/literal_key.h"
#include "validation/names.h"

namespace bunraku {

void validate(const Program& program, const ValidationSettings& settings,
              DiagnosticSink& diagnostics) {
  Checker(program, settings, diagnostics).run();
}

void Checker::run() {
  check_top_constructs();
  walk(*program_.body);
}

Diagnostic Checker::make(Issue issue, Location at, std::vector<std::string> arguments) const {
  return make_diagnostic(issue, {program_.source(), at}, std::move(arguments));
}

void Checker::deliver(Diagnostic diagnostic) {
  // A limit, because a generated file may have as many errors as bytes.
  constexpr size_t kMostMistakes = 1000;
  const bool is_error = diagnostic.severity == Severity::kError;
  const size_t count = is_error ? ++errors_ : ++warnings_;
  if (count > kMostMistakes + 1) return;
  if (count == kMostMistakes + 1) {
    Diagnostic last = make_diagnostic(
        Issue::kTooLarge, std::move(diagnostic.primary),
        {"The list of mistakes in this file", std::to_string(kMostMistakes), "mistakes"});
    last.severity = diagnostic.severity;
    diagnostic = std::move(last);
  }
  diagnostics_.report(std::move(diagnostic));
}

void Checker::report(Issue issue, Location at, std::vector<std::string> arguments) {
  deliver(make(issue, at, std::move(arguments)));
}

void Checker::report(Issue issue, const Expression& at, std::vector<std::string> arguments) {
  report(issue, at.location, std::move(arguments));
}

namespace {

constexpr uint64_t set_of(std::initializer_list<NodeKind> kinds) {
  uint64_t set = 0;
  for (const NodeKind kind : kinds) set |= uint64_t{1} << static_cast<unsigned>(kind);
  return set;
}

static_assert(static_cast<int>(NodeKind::kRenderStringExpression) < 64, "a bit for each kind");

constexpr bool is_in(uint64_t set, NodeKind kind) {
  return (set >> static_cast<unsigned>(kind) & 1) != 0;
}

// Nodes without children or rules; half of all nodes in a tree.
constexpr uint64_t kFreeOfRules =
    set_of({NodeKind::kLiteralUndef, NodeKind::kLiteralDefault, NodeKind::kLiteralBoolean,
            NodeKind::kLiteralFloat, NodeKind::kLiteralString, NodeKind::kQualifiedName,
            NodeKind::kLiteralRegularExpression, NodeKind::kQualifiedReference,
            NodeKind::kRenderStringExpression});
// Nodes without children.
constexpr uint64_t kLeaves =
    set_of({NodeKind::kLiteralInteger, NodeKind::kReservedWord, NodeKind::kVariableExpression});

}  // namespace

void Checker::walk(const Expression& node) {
  if (is_in(kFreeOfRules, node.kind)) return;
  check(node);
  if (is_in(kLeaves, node.kind)) return;
  path_.push_back(&node);
  for_each_child(node, [this](const Expression& child) { walk(child); });
  path_.pop_back();
}

void Checker::check(const Expression& node) {
  if (settings_.tasks && is_refused_in_tasks(node)) return;
  switch (node.kind) {
    case NodeKind::kAssignmentExpression:
      return check_assignment(node.as<AssignmentExpression>());
    case NodeKind::kAttributeOperation:
      return check_attribute(node.as<AttributeOperation>());
    case NodeKind::kAttributesOperation:
      return check_value(*node.as<AttributesOperation>().expression);
    case NodeKind::kAndExpression:
    case NodeKind::kOrExpression:
    case NodeKind::kInExpression:
    case NodeKind::kMatchExpression:
    case NodeKind::kComparisonExpression:
    case NodeKind::kArithmeticExpression: {
      const auto& binary = node.as<BinaryExpression>();
      check_value(*binary.left);
      return check_value(*binary.right);
    }
    case NodeKind::kRelationshipExpression: {
      const auto& relationship = node.as<RelationshipExpression>();
      check_relation(*relationship.left);
      return check_relation(*relationship.right);
    }
    case NodeKind::kParenthesizedExpression:
    case NodeKind::kNotExpression:
    case NodeKind::kUnaryMinusExpression:
    case NodeKind::kUnfoldExpression:
    case NodeKind::kRenderExpression:
    case NodeKind::kTextExpression: {
      const Expression* operand = node.kind == NodeKind::kTextExpression
                                      ? node.as<TextExpression>().expression
                                      : node.as<UnaryExpression>().expression;
      return check_value(*operand);
    }
    case NodeKind::kBlockExpression:
      return check_block(node.as<BlockExpression>());
    case NodeKind::kCallNamedFunctionExpression:
      return check_call(node.as<CallNamedFunctionExpression>());
    case NodeKind::kCaseExpression:
      return check_case(node.as<CaseExpression>());
    case NodeKind::kCaseOption:
      for (const Expression* value : node.as<CaseOption>().values) check_value(*value);
      return;
    case NodeKind::kCollectExpression:
      return check_collector(node.as<CollectExpression>());
    case NodeKind::kVirtualQuery:
      if (const Expression* query = node.as<VirtualQuery>().expression) check_query(*query);
      return;
    case NodeKind::kExportedQuery:
      if (const Expression* query = node.as<ExportedQuery>().expression) check_query(*query);
      return;
    case NodeKind::kIfExpression:
      return check_value(*node.as<IfExpression>().test);
    case NodeKind::kUnlessExpression:
      return check_value(*node.as<UnlessExpression>().test);
    case NodeKind::kKeyedEntry:
      check_value(*node.as<KeyedEntry>().key);
      return check_value(*node.as<KeyedEntry>().value);
    case NodeKind::kLiteralList:
      for (const Expression* value : node.as<LiteralList>().values) check_value(*value);
      return;
    case NodeKind::kLiteralHash:
      return check_hash(node.as<LiteralHash>());
    case NodeKind::kLiteralInteger:
      return check_integer(node.as<LiteralInteger>());
    case NodeKind::kHeredocExpression:
      return check_heredoc(node.as<HeredocExpression>());
    case NodeKind::kReservedWord: {
      const auto& reserved = node.as<ReservedWord>();
      const std::string word(reserved.word);
      const Range range{program_.source(), node.location};
      Diagnostic diagnostic = make_diagnostic(
          reserved.is_future ? Issue::kFutureReservedWord : Issue::kReservedWordUsed, range,
          {word});
      diagnostic.fixes.push_back({range, "'" + word + "'", "put the word in quotes"});
      return deliver(std::move(diagnostic));
    }
    case NodeKind::kResourceExpression:
      return check_resource(node.as<ResourceExpression>());
    case NodeKind::kResourceBody:
      return check_resource_body(node.as<ResourceBody>());
    case NodeKind::kResourceDefaultsExpression:
      if (node.as<ResourceDefaultsExpression>().form != ResourceForm::kRegular) {
        report(Issue::kNotVirtualizeable, node);
      }
      return;
    case NodeKind::kResourceOverrideExpression:
      if (node.as<ResourceOverrideExpression>().form != ResourceForm::kRegular) {
        report(Issue::kNotVirtualizeable, node);
      }
      return;
    case NodeKind::kSelectorExpression:
      return check_selector(node.as<SelectorExpression>());
    case NodeKind::kSelectorEntry:
      return check_value(*node.as<SelectorEntry>().matching);
    case NodeKind::kVariableExpression:
      return check_variable(node.as<VariableExpression>());
    case NodeKind::kHostClassDefinition:
      return check_class(node.as<HostClassDefinition>());
    case NodeKind::kResourceTypeDefinition:
      return check_define(node.as<ResourceTypeDefinition>());
    case NodeKind::kNodeDefinition:
      return check_node(node.as<NodeDefinition>());
    case NodeKind::kFunctionDefinition:
      return check_function(node.as<FunctionDefinition>());
    case NodeKind::kPlanDefinition:
      return check_function(node.as<PlanDefinition>());
    case NodeKind::kTypeAlias:
      return check_type_alias(node.as<TypeAlias>());
    case NodeKind::kTypeMapping:
      return check_type_mapping(node.as<TypeMapping>());
    case NodeKind::kTypeDefinition:
      check_is_top(node);
      return report(Issue::kUnsupportedExpression, node, {with_article(label(node))});
    case NodeKind::kLambdaExpression:
      return check_lambda(node.as<LambdaExpression>());
    case NodeKind::kEppExpression:
      return check_epp(node.as<EppExpression>());
    case NodeKind::kParameter:
      return check_parameter(node.as<Parameter>());
    default:
      return;
  }
}

// --- catalog expressions where there is no catalog -----------------------------------------------

bool Checker::is_within_apply() const {
  return std::ranges::any_of(
      path_, [](const Expression* node) { return node->kind == NodeKind::kApplyExpression; });
}

bool Checker::is_refused_in_tasks(const Expression& node) {
  auto refuse = [&](Issue issue) {
    report(issue, node, {with_upper_case_article(label(node))});
    return true;
  };
  switch (node.kind) {
    case NodeKind::kHostClassDefinition:
    case NodeKind::kResourceTypeDefinition:
      return refuse(Issue::kExpressionNotSupportedWhenScripting);
    case NodeKind::kNodeDefinition:
    case NodeKind::kRelationshipExpression:
    case NodeKind::kResourceDefaultsExpression:
    case NodeKind::kResourceExpression:
    case NodeKind::kResourceOverrideExpression:
      return !is_within_apply() && refuse(Issue::kExpressionNotSupportedWhenScripting);
    case NodeKind::kCollectExpression:
      if (!is_within_apply()) return refuse(Issue::kExpressionNotSupportedWhenScripting);
      return node.as<CollectExpression>().query->kind == NodeKind::kExportedQuery &&
             refuse(Issue::kExpressionNotSupportedWhenCompiling);
    case NodeKind::kApplyExpression:
      return is_within_apply() && refuse(Issue::kExpressionNotSupportedWhenCompiling);
    default:
      return false;
  }
}

// --- assignment ----------------------------------------------------------------------------------

void Checker::check_assignment(const AssignmentExpression& assignment) {
  if (assignment.op != Operator::kAssign) {
    return report(Issue::kAppendsDeletesNoLongerSupported, assignment,
                  {std::string(text_of(assignment.op))});
  }
  check_assignable(*assignment.left);
  check_value(*assignment.right);
}

void Checker::check_assignable(const Expression& target) {
  switch (target.kind) {
    case NodeKind::kVariableExpression: {
      const auto& variable = target.as<VariableExpression>();
      const std::string name(variable.name.text());
      if (variable.number >= 0) report(Issue::kIllegalNumericAssignment, target, {name});
      if (name.find("::") != std::string::npos) {
        report(Issue::kCrossScopeAssignment, target, {name});
      }
      return;
    }
    case NodeKind::kQualifiedName: {
      Diagnostic diagnostic = make(Issue::kIllegalAssignment, target.location, {"a Name"});
      diagnostic.fixes.push_back({{program_.source(), {target.location.offset, 0}},
                                  "$",
                                  "a variable's name begins with `$`"});
      return deliver(std::move(diagnostic));
    }
    case NodeKind::kAccessExpression:
      return report(Issue::kIllegalIndexedAssignment, target);
    case NodeKind::kLiteralList:
      for (const Expression* value : target.as<LiteralList>().values) check_assignable(*value);
      return;
    default:
      return report(Issue::kIllegalAssignment, target, {with_article(label(target))});
  }
}

// --- expressions ---------------------------------------------------------------------------------

// Checks that an expression has a value; collectors and definitions have none.
void Checker::check_value(const Expression& expression) {
  switch (expression.kind) {
    case NodeKind::kCollectExpression:
    case NodeKind::kHostClassDefinition:
    case NodeKind::kResourceTypeDefinition:
    case NodeKind::kNodeDefinition:
    case NodeKind::kFunctionDefinition:
    case NodeKind::kPlanDefinition:
    case NodeKind::kTypeAlias:
    case NodeKind::kTypeMapping:
    case NodeKind::kTypeDefinition:
      return report(Issue::kNotRvalue, expression, {with_upper_case_article(label(expression))});
    case NodeKind::kParenthesizedExpression:
    case NodeKind::kNotExpression:
    case NodeKind::kUnaryMinusExpression:
    case NodeKind::kUnfoldExpression:
    case NodeKind::kRenderExpression:
      return check_value(*expression.as<UnaryExpression>().expression);
    case NodeKind::kTextExpression:
      return check_value(*expression.as<TextExpression>().expression);
    default:
      return;
  }
}

void Checker::check_relation(const Expression& operand) {
  if (operand.kind == NodeKind::kCollectExpression ||
      operand.kind == NodeKind::kRelationshipExpression) {
    return;
  }
  check_value(operand);
}

void Checker::check_attribute(const AttributeOperation& operation) {
  const Expression* parent = above(1);
  const bool may_append =
      parent != nullptr && (parent->kind == NodeKind::kCollectExpression ||
                            parent->kind == NodeKind::kResourceOverrideExpression);
  if (operation.op == Operator::kAddTo && !may_append) {
    Diagnostic diagnostic =
        make(Issue::kIllegalAttributeAppend, operation.location,
             {std::string(operation.name.text()), with_article(label(*parent))});
    const size_t arrow = program_.source()->text().find("+>", operation.location.offset);
    diagnostic.fixes.push_back({{program_.source(), {static_cast<uint32_t>(arrow), 2}},
                                "=>",
                                "set the attribute with `=>`"});
    deliver(std::move(diagnostic));
  }
  check_value(*operation.value);
}

namespace {
constexpr std::array<std::string_view, 15> kStatementFunctions = {
    "require", "realize", "include", "contain", "tag",  "debug", "info",  "notice",
    "warning", "err",     "fail",    "import",  "next", "break", "return"};
}  // namespace

void Checker::check_block(const BlockExpression& block) {
  if (!settings_.tasks && is_resource_without_title(block)) {
    const Name name = block.statements[0]->as<QualifiedName>().name;
    return report(Issue::kResourceWithoutTitle, block, {std::string(name.text())});
  }
  for (const Expression* statement : block.statements.first(block.statements.size() - 1)) {
    if (!is_idempotent(*statement)) continue;
    Diagnostic diagnostic =
        make(Issue::kIdemExpressionNotLast, statement->location, {label(*statement)});
    if (const auto* word = statement->try_as<QualifiedName>()) {
      // Most often a misspelled function that takes its arguments without parentheses.
      const std::string_view function = closest_name(word->name.text(), kStatementFunctions);
      if (!function.empty() && function != word->name.text()) {
        diagnostic.fixes.push_back({{program_.source(), statement->location},
                                    std::string(function),
                                    "did you mean `" + std::string(function) + "`?"});
      }
    }
    return deliver(std::move(diagnostic));
  }
}

void Checker::check_call(const CallNamedFunctionExpression& call) {
  const Expression* functor = call.functor;
  const auto* access = functor->try_as<AccessExpression>();
  const bool is_type = functor->kind == NodeKind::kQualifiedReference ||
                       (access != nullptr && access->left->kind == NodeKind::kQualifiedReference);
  if (is_type || functor->kind == NodeKind::kQualifiedName) return;
  if (functor->kind == NodeKind::kRenderStringExpression) {
    return report(Issue::kIllegalEppParameters, call);
  }
  report(Issue::kIllegalExpression, *functor,
         {with_upper_case_article(label(*functor)), "function name", with_article(label(call))});
}

void Checker::check_case(const CaseExpression& expression) {
  check_value(*expression.test);
  bool has_default = false;
  for (const CaseOption* option : expression.options) {
    for (const Expression* value : option->values) {
      if (value->kind != NodeKind::kLiteralDefault) continue;
      if (has_default) report(Issue::kDuplicateDefault, *value, {label(expression)});
      has_default = true;
    }
  }
}

void Checker::check_selector(const SelectorExpression& selector) {
  check_value(*selector.left);
  bool has_default = false;
  for (const SelectorEntry* entry : selector.selectors) {
    if (entry->matching->kind != NodeKind::kLiteralDefault) continue;
    if (has_default) {
      return report(Issue::kDuplicateDefault, *entry->matching, {label(selector)});
    }
    has_default = true;
  }
}

void Checker::check_collector(const CollectExpression& collector) {
  const Expression& type = *collector.type_expression;
  if (type.kind == NodeKind::kQualifiedReference) return;
  report(Issue::kIllegalExpression, type,
         {with_upper_case_article(label(type)), "type name", with_article(label(collector))});
}

void Checker::check_query(const Expression& query) {
  switch (query.kind) {
    case NodeKind::kVariableExpression:
    case NodeKind::kQualifiedName:
    case NodeKind::kLiteralInteger:
    case NodeKind::kLiteralFloat:
    case NodeKind::kLiteralString:
    case NodeKind::kRenderStringExpression:
    case NodeKind::kLiteralBoolean:
      return;
    case NodeKind::kComparisonExpression: {
      const Operator op = query.as<ComparisonExpression>().op;
      if (op == Operator::kEqual || op == Operator::kNotEqual) return;
      break;
    }
    case NodeKind::kAndExpression:
    case NodeKind::kOrExpression: {
      const auto& both = query.as<BinaryExpression>();
      check_query(*both.left);
      return check_query(*both.right);
    }
    case NodeKind::kParenthesizedExpression:
      return check_query(*query.as<ParenthesizedExpression>().expression);
    default:
      break;
  }
  report(Issue::kIllegalQueryExpression, query, {with_upper_case_article(label(query))});
}

namespace {

// A fast path for the usual case: a few keys, all of them different texts.
bool are_distinct_words(const LiteralHash& hash) {
  constexpr size_t kFew = 24;
  std::array<std::string_view, kFew> words;
  if (hash.entries.size() > kFew) return false;
  size_t count = 0;
  for (const KeyedEntry* entry : hash.entries) {
    std::string_view word;
    if (const auto* string = entry->key->try_as<LiteralString>()) {
      word = string->value;
    } else if (const auto* name = entry->key->try_as<QualifiedName>()) {
      word = name->name.text();
    } else {
      return false;
    }
    if (std::find(words.begin(), words.begin() + count, word) != words.begin() + count)
      return false;
    words[count++] = word;
  }
  return true;
}

// Returns whether only version 8 treats the key as a literal. Modules for version 7 have duplicates
// of such keys.
bool is_literal_since_8(const Expression& key) {
  return key.kind == NodeKind::kQualifiedReference || key.kind == NodeKind::kAccessExpression ||
         key.kind == NodeKind::kUnaryMinusExpression;
}

}  // namespace

void Checker::check_hash(const LiteralHash& hash) {
  if (settings_.strict == Strictness::kOff || hash.entries.size() < 2) return;
  if (are_distinct_words(hash)) return;
  MetKeys keys(hash.entries.size());
  for (const KeyedEntry* entry : hash.entries) {
    if (!keys.was_met(*entry->key)) continue;
    Diagnostic diagnostic = make_diagnostic(
        Issue::kDuplicateKey, {program_.source(), entry->location}, {literal_text(*entry->key)});
    if (settings_.strict == Strictness::kWarning || is_literal_since_8(*entry->key))
      diagnostic.severity = Severity::kWarning;
    deliver(std::move(diagnostic));
  }
}

namespace {

// Converts the digits of a number of any size to hexadecimal.
std::string hexadecimal(std::string_view digits, unsigned radix) {
  std::string hex;  // least significant digit first
  for (const char c : digits) {
    unsigned carry =
        c <= '9' ? static_cast<unsigned>(c - '0') : static_cast<unsigned>((c | 32) - 'a') + 10;
    for (char& digit : hex) {
      const unsigned value = static_cast<unsigned>(digit) * radix + carry;
      digit = static_cast<char>(value % 16);
      carry = value / 16;
    }
    for (; carry > 0; carry /= 16) hex += static_cast<char>(carry % 16);
  }
  for (char& digit : hex) digit = "0123456789abcdef"[static_cast<unsigned char>(digit)];
  std::ranges::reverse(hex);
  return hex;
}

constexpr size_t kMostDigitsShown = 1000;

}  // namespace

void Checker::check_integer(const LiteralInteger& integer) {
  if (integer.value != std::numeric_limits<int64_t>::max()) return;
  // The parser caps numbers that do not fit, so the source text is read.
  std::string_view digits = std::string_view(program_.source()->text())
                                .substr(integer.location.offset, integer.location.length);
  if (integer.radix == 16) digits.remove_prefix(2);
  if (parse_integer(digits, integer.radix)) return;
  report(Issue::kLiteralOverflow, integer,
         {"+0x" + hexadecimal(digits.substr(0, kMostDigitsShown), integer.radix)});
}

void Checker::check_resource(const ResourceExpression& resource) {
  static const Name kClass("class");
  const auto* name = resource.type_name->try_as<QualifiedName>();
  if (resource.form != ResourceForm::kRegular && name != nullptr && name->name == kClass) {
    report(Issue::kClassNotVirtualizable, resource);
  }
}

void Checker::check_resource_body(const ResourceBody& body) {
  bool has_unfolding = false;
  for (const Expression* operation : body.operations) {
    if (operation->kind != NodeKind::kAttributesOperation) continue;
    if (has_unfolding) report(Issue::kMultipleAttributesUnfold, *operation);
    has_unfolding = true;
  }
}

void Checker::check_variable(const VariableExpression& variable) {
  if (variable.name.is_word()) return;
  const std::string_view name = variable.name.text();
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!name.empty() && is_digit(name[0])) {
    const bool is_number =
        std::ranges::all_of(name, is_digit) && (name.size() == 1 || name[0] != '0');
    if (!is_number) report(Issue::kIllegalNumericVarName, variable, {std::string(name)});
    return;
  }
  if (!is_variable_name(name)) report(Issue::kIllegalVarName, variable, {std::string(name)});
}

}  // namespace bunraku
