#include "evaluation/evaluation.h"

#include <algorithm>

#include "base/diagnostics/diagnostic_renderer.h"
#include "evaluation/overload.h"
#include "evaluation/suggestions.h"
#include "types/interpolation.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "validation/heredoc_syntax.h"
#include "values/changed_objects.h"

namespace bunraku {

void ArgumentList::grow() {
  Value* larger = arena_.make_array<Value>(capacity_ * 2);
  std::uninitialized_copy(values_, values_ + size_, larger);
  values_ = larger;
  capacity_ *= 2;
}

std::string ruby_text(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

std::string key_type_name(Arena& arena, Value value) {
  if (value.is_undef()) return "Undef";
  if (value.is_default()) return "Default";
  return to_text(generalize(arena, infer(arena, value)));
}

const Expression& without_parentheses(const Expression& expression) {
  const Expression* inner = &expression;
  while (const auto* parentheses = inner->try_as<ParenthesizedExpression>()) {
    inner = parentheses->expression;
  }
  return *inner;
}

void Evaluation::fail_at(const Expression& at, Issue issue, std::vector<std::string> arguments) {
  EvaluationError error(make_diagnostic(issue, Range{}, std::move(arguments)));
  add_place(error, place(at));
  throw error;
}

Value Evaluation::evaluate_composite(const Expression& expression) {
  if (is_stack_low()) evaluator_.fail_endless_recursion(place(expression));
  try {
    // The most frequent expressions of loops are evaluated without a further call.
    switch (expression.kind) {
      case NodeKind::kArithmeticExpression:
        return evaluate_arithmetic(expression.as<ArithmeticExpression>());
      case NodeKind::kComparisonExpression:
        return evaluate_comparison(expression.as<ComparisonExpression>());
      default:
        return dispatch(expression);
    }
  } catch (EvaluationError& error) {
    if (error.diagnostic().primary.file == nullptr) add_place(error, place(expression));
    throw;
  } catch (const RegexError& error) {
    fail_at(expression, Issue::kInvalidPattern, {error.what()});
  }
}

Value Evaluation::dispatch(const Expression& expression) {
  switch (expression.kind) {
    case NodeKind::kNop:
    case NodeKind::kLiteralUndef:
      return Value::undef();
    case NodeKind::kLiteralDefault:
      return Value::default_value();
    case NodeKind::kLiteralBoolean:
      return Value::boolean(expression.as<LiteralBoolean>().value);
    case NodeKind::kLiteralInteger:
      return Value::integer(expression.as<LiteralInteger>().value);
    case NodeKind::kLiteralFloat:
      return Value::floating(expression.as<LiteralFloat>().value);
    case NodeKind::kLiteralString:
      return Value::string(expression.as<LiteralString>().value);
    case NodeKind::kLiteralRegularExpression:
      return Value::regexp(expression.as<LiteralRegularExpression>().pattern);
    case NodeKind::kLiteralList:
      return evaluate_list(expression.as<LiteralList>());
    case NodeKind::kLiteralHash:
      return evaluate_hash(expression.as<LiteralHash>());
    case NodeKind::kConcatenatedString:
      return evaluate_concatenation(expression.as<ConcatenatedString>());
    case NodeKind::kTextExpression: {
      Value value = evaluate(*expression.as<TextExpression>().expression);
      if (value.is_control()) return value;
      return Value::string(arena(), interpolated(value));
    }
    case NodeKind::kHeredocExpression:
      return evaluate_heredoc(expression.as<HeredocExpression>());
    case NodeKind::kQualifiedName:
      return Value::string(expression.as<QualifiedName>().name.text());
    case NodeKind::kQualifiedReference:
      return evaluate_reference(expression.as<QualifiedReference>());
    case NodeKind::kReservedWord:
      return Value::string(expression.as<ReservedWord>().word);
    case NodeKind::kVariableExpression:
      return evaluate_variable(expression.as<VariableExpression>());
    case NodeKind::kParenthesizedExpression:
      return evaluate(*expression.as<ParenthesizedExpression>().expression);
    case NodeKind::kNotExpression: {
      const Value value = evaluate(*expression.as<NotExpression>().expression);
      return value.is_control() ? value : Value::boolean(!value.is_truthy());
    }
    case NodeKind::kUnaryMinusExpression:
      return evaluate_unary_minus(expression.as<UnaryMinusExpression>());
    case NodeKind::kUnfoldExpression:
      return evaluate_unfold(expression.as<UnfoldExpression>());
    case NodeKind::kAndExpression: {
      const auto& both = expression.as<AndExpression>();
      Value left = evaluate(*both.left);
      if (left.is_control()) return left;
      if (!left.is_truthy()) return Value::boolean(false);
      const Value right = evaluate(*both.right);
      return right.is_control() ? right : Value::boolean(right.is_truthy());
    }
    case NodeKind::kOrExpression: {
      const auto& either = expression.as<OrExpression>();
      Value left = evaluate(*either.left);
      if (left.is_control()) return left;
      if (left.is_truthy()) return Value::boolean(true);
      const Value right = evaluate(*either.right);
      return right.is_control() ? right : Value::boolean(right.is_truthy());
    }
    case NodeKind::kInExpression:
      return evaluate_in(expression.as<InExpression>());
    case NodeKind::kMatchExpression:
      return evaluate_match(expression.as<MatchExpression>());
    case NodeKind::kAssignmentExpression:
      return evaluate_assignment(expression.as<AssignmentExpression>());
    case NodeKind::kRelationshipExpression:
      return evaluate_relationship(expression.as<RelationshipExpression>());
    case NodeKind::kAccessExpression:
      return evaluate_access(expression.as<AccessExpression>());
    case NodeKind::kCallNamedFunctionExpression:
      return call(expression.as<CallNamedFunctionExpression>());
    case NodeKind::kCallMethodExpression:
      return call_method(expression.as<CallMethodExpression>());
    case NodeKind::kIfExpression:
      return evaluate_if(expression.as<IfExpression>());
    case NodeKind::kUnlessExpression:
      return evaluate_unless(expression.as<UnlessExpression>());
    case NodeKind::kCaseExpression:
      return evaluate_case(expression.as<CaseExpression>());
    case NodeKind::kSelectorExpression:
      return evaluate_selector(expression.as<SelectorExpression>());
    case NodeKind::kBlockExpression:
      return evaluate_block(expression.as<BlockExpression>());
    case NodeKind::kResourceExpression:
      return evaluate_resource(expression.as<ResourceExpression>());
    case NodeKind::kResourceDefaultsExpression:
      return evaluate_defaults(expression.as<ResourceDefaultsExpression>());
    case NodeKind::kResourceOverrideExpression:
      return evaluate_override(expression.as<ResourceOverrideExpression>());
    case NodeKind::kCollectExpression:
      return evaluate_collector(expression.as<CollectExpression>());
    // Definitions are found by name on demand.
    case NodeKind::kHostClassDefinition:
    case NodeKind::kResourceTypeDefinition:
    case NodeKind::kNodeDefinition:
    case NodeKind::kFunctionDefinition:
    case NodeKind::kPlanDefinition:
    case NodeKind::kTypeAlias:
    case NodeKind::kTypeMapping:
    case NodeKind::kTypeDefinition:
      return Value::undef();
    case NodeKind::kEppExpression:
      return evaluate_epp(expression.as<EppExpression>());
    case NodeKind::kRenderExpression:
      return evaluate_render(expression.as<RenderExpression>());
    case NodeKind::kRenderStringExpression:
      caches().epp_parts->push_back(Value::string(expression.as<RenderStringExpression>().value));
      return Value::undef();
    case NodeKind::kApplyExpression:
      // Plans cannot be run; the message is the reference's.
      fail_at(expression, Issue::kNoApplyExecutor, {});
    case NodeKind::kArithmeticExpression:  // evaluated in evaluate_composite()
    case NodeKind::kComparisonExpression:
    case NodeKind::kNamedAccessExpression:
    case NodeKind::kLambdaExpression:
    case NodeKind::kParameter:
    case NodeKind::kCaseOption:
    case NodeKind::kSelectorEntry:
    case NodeKind::kKeyedEntry:
    case NodeKind::kResourceBody:
    case NodeKind::kAttributeOperation:
    case NodeKind::kAttributesOperation:
    case NodeKind::kVirtualQuery:
    case NodeKind::kExportedQuery:
      break;
  }
  // Parts of other expressions; the parser never returns them alone.
  fail_unexpected(expression);
}

void Evaluation::fail_unexpected(const Expression& expression) {
  fail(Issue::kUnexpectedExpression, expression, {with_upper_case_article(label(expression))});
}

// --- names ---------------------------------------------------------------------------------------

Value Evaluation::evaluate_unusual_variable(const VariableExpression& variable) {
  if (variable.number >= 0) return scope_.match_variable(variable.number);
  if (const Value* found = evaluator_.find_variable(variable.name, scope_)) return *found;
  const std::string_view name = variable.name.text();
  // These variables always exist.
  if (name == "module_name" || name == "caller_module_name" || name == "::module_name" ||
      name == "::caller_module_name") {
    return Value::undef();
  }
  const EvaluationSettings& settings = evaluator_.settings();
  const Strictness strictness = settings.strict_variables ? Strictness::kError : settings.strict;
  if (strictness == Strictness::kError) {
    Diagnostic diagnostic =
        make_diagnostic(Issue::kUnknownVariable, place(variable).range(), {std::string(name)});
    if (const EvaluationError* error = evaluator_.unloadable_class()) {
      diagnostic.notes.push_back("its class cannot be loaded: " + one_line(error->diagnostic()));
    }
    suggest_variable(diagnostic, name, evaluator_, scope_);
    throw EvaluationError(std::move(diagnostic));
  }
  evaluator_.report(Issue::kUnknownVariable, strictness, place(variable), {std::string(name)});
  return Value::undef();
}

Value Evaluation::evaluate_reference(const QualifiedReference& reference) {
  const Type* type = evaluator_.find_type(reference.cased, reference.name);
  if (type == nullptr) evaluator_.fail_unknown_type(reference.cased.text(), place(reference));
  // The name TypeReference means a missing type, as any unknown name does.
  if (const auto* unknown = type->try_as<TypeReferenceType>()) {
    evaluator_.fail_unknown_type(unknown->text, place(reference));
  }
  return Value::type(type);
}

// --- collections ---------------------------------------------------------------------------------

Value Evaluation::evaluate_all(ExpressionList expressions, ArgumentList& values) {
  for (const Expression* expression : expressions) {
    const Expression& inner = without_parentheses(*expression);
    Value value = evaluate(inner);
    if (value.is_control()) return value;
    if (inner.kind == NodeKind::kUnfoldExpression) {
      for (const Value item : value.as_array()) values.push(item);
    } else {
      values.push(value);
    }
  }
  return Value::undef();
}

bool Evaluation::is_constant(const Expression& expression) {
  switch (expression.kind) {
    case NodeKind::kLiteralUndef:
    case NodeKind::kLiteralDefault:
    case NodeKind::kLiteralBoolean:
    case NodeKind::kLiteralInteger:
    case NodeKind::kLiteralFloat:
    case NodeKind::kLiteralString:
    case NodeKind::kLiteralRegularExpression:
    case NodeKind::kQualifiedName:
    case NodeKind::kQualifiedReference:
      return true;
    case NodeKind::kParenthesizedExpression:
      return is_constant(*expression.as<ParenthesizedExpression>().expression);
    case NodeKind::kLiteralList:
      for (const Expression* item : expression.as<LiteralList>().values) {
        if (!is_constant(*item)) return false;
      }
      return true;
    case NodeKind::kLiteralHash:
      for (const KeyedEntry* entry : expression.as<LiteralHash>().entries) {
        if (!is_constant(*entry->key) || !is_constant(*entry->value)) return false;
      }
      return true;
    case NodeKind::kAccessExpression: {
      // A type with parameters; Class['a']['b'] and similar read from the catalog.
      const auto& access = expression.as<AccessExpression>();
      if (access.left->kind != NodeKind::kQualifiedReference) return false;
      for (const Expression* key : access.keys) {
        if (!is_constant(*key)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

Value Evaluation::evaluate_list(const LiteralList& list) {
  const auto items = list.values;
  // The empty array has an address of its own, by which a later change of it is recognised.
  if (items.empty()) return Value::array({arena().make_array<Value>(1), 0});
  // Large lists of constants are created once, and copied: each evaluation of a literal makes new
  // objects, and to_yaml writes an alias for a repeated one. The test ends at the first item that
  // is not constant, so it is cheap.
  constexpr size_t kWorthKeeping = 6;
  bool keep = false;
  if (items.size() >= kWorthKeeping) {
    if (const Value* known = caches().constants.find(&list)) {
      if (!known->is_control()) return unshared(arena(), *known);
    } else {
      keep = is_constant(list);
      if (!keep) caches().constants.add(&list, Value::control(Control::kNext));
    }
  }
  ArgumentList values(arena());
  Value control = evaluate_all(items, values);
  if (control.is_control()) return control;
  Value result = Value::array(arena().copy(values.values()));
  if (keep) caches().constants.add(&list, result);
  return result;
}

Value Evaluation::evaluate_hash(const LiteralHash& hash) {
  const auto entries = hash.entries;
  bool keep = false;
  if (const Value* known = caches().constants.find(&hash)) {
    if (!known->is_control()) return unshared(arena(), *known);
  } else {
    keep = is_constant(hash);
    if (!keep) caches().constants.add(&hash, Value::control(Control::kNext));
  }
  HashBuilder builder(arena(), entries.size());
  for (const KeyedEntry* entry : entries) {
    Value key = evaluate(*entry->key);
    if (key.is_control()) return key;
    Value value = evaluate(*entry->value);
    if (value.is_control()) return value;
    builder.set(key, value);
  }
  Value result = builder.finish();
  if (keep) caches().constants.add(&hash, result);
  return result;
}

Value Evaluation::evaluate_unfold(const UnfoldExpression& expression) {
  Value value = evaluate(*expression.expression);
  switch (value.kind()) {
    case ValueKind::kControl:
    case ValueKind::kArray:
      return value;
    case ValueKind::kUndef:
      return Value::array({});
    case ValueKind::kHash: {
      ArrayBuilder pairs(arena(), value.as_hash().size);
      for (const HashEntry& entry : value.as_hash()) {
        pairs.push(Value::array(arena(), {entry.key, entry.value}));
      }
      return pairs.finish();
    }
    case ValueKind::kIterator: {
      ArrayBuilder items(arena());
      IteratorObject* iterator = value.as_iterator().rewound(arena());
      Value item;
      while (iterator->next(arena(), item)) items.push(item);
      return items.finish();
    }
    default:
      return Value::array(arena(), {value});
  }
}

// --- control flow --------------------------------------------------------------------------------

Value Evaluation::evaluate_block(const BlockExpression& block) {
  Value value;
  for (const Expression* statement : block.statements) {
    value = evaluate(*statement);
    if (value.is_control()) return value;
  }
  return value;
}

Value Evaluation::evaluate_if(const IfExpression& expression) {
  const FrameGuard guard(scope_);
  Value test = evaluate(*expression.test);
  if (test.is_control()) return test;
  return evaluate(without_block(test.is_truthy() ? *expression.then_part : *expression.else_part));
}

Value Evaluation::evaluate_unless(const UnlessExpression& expression) {
  const FrameGuard guard(scope_);
  Value test = evaluate(*expression.test);
  if (test.is_control()) return test;
  return evaluate(without_block(test.is_truthy() ? *expression.else_part : *expression.then_part));
}

Value Evaluation::option_matches(Value test, const Expression& option) {
  Value pattern = evaluate(option);
  if (pattern.is_control()) return pattern;
  if (option.kind != NodeKind::kUnfoldExpression) {
    return matches(pattern, test) ? Value::boolean(true) : Value::undef();
  }
  for (const Value item : pattern.as_array()) {
    if (matches(item, test)) return Value::boolean(true);
  }
  return Value::undef();
}

Value Evaluation::evaluate_case(const CaseExpression& expression) {
  const FrameGuard guard(scope_);
  Value test = evaluate(*expression.test);
  if (test.is_control()) return test;
  const Expression* otherwise = nullptr;
  for (const CaseOption* option : expression.options) {
    for (const Expression* value : option->values) {
      const Expression& inner = without_parentheses(*value);
      if (inner.kind == NodeKind::kLiteralDefault) {
        otherwise = option->then_part;
        continue;
      }
      Value outcome = option_matches(test, inner);
      if (outcome.is_control()) return outcome;
      if (!outcome.is_undef()) return evaluate(without_block(*option->then_part));
    }
  }
  return otherwise != nullptr ? evaluate(*otherwise) : Value::undef();
}

Value Evaluation::evaluate_selector(const SelectorExpression& expression) {
  const FrameGuard guard(scope_);
  Value test = evaluate(*expression.left);
  if (test.is_control()) return test;
  const Expression* otherwise = nullptr;
  for (const SelectorEntry* entry : expression.selectors) {
    const Expression& inner = without_parentheses(*entry->matching);
    if (inner.kind == NodeKind::kLiteralDefault) {
      otherwise = entry->value;
      continue;
    }
    Value outcome = option_matches(test, inner);
    if (outcome.is_control()) return outcome;
    if (!outcome.is_undef()) return evaluate(*entry->value);
  }
  if (otherwise != nullptr) return evaluate(*otherwise);
  fail(Issue::kUnmatchedSelector, *expression.left, {ruby_text(test)});
}

// --- assignment ----------------------------------------------------------------------------------

Value Evaluation::evaluate_assignment(const AssignmentExpression& expression) {
  Value value = evaluate(*expression.right);
  if (value.is_control()) return value;
  return assign(*expression.left, value, expression);
}

Value Evaluation::assign(const Expression& target, Value value,
                         const AssignmentExpression& expression) {
  if (const auto* variable = target.try_as<VariableExpression>()) {
    set_variable(variable->name, value, expression);
  } else if (const auto* list = target.try_as<LiteralList>()) {
    assign_list(*list, value, expression);
  } else {
    // Validation rejects anything else.
    fail_unexpected(target);
  }
  return value;
}

void Evaluation::set_variable(Name name, Value value, const AssignmentExpression& expression) {
  const std::string_view text = name.text();
  const bool is_bound = scope_.is_bound(name);
  // A fact of that name would conflict with the assignment.
  FactReads* reads = scope_.kind() == Scope::Kind::kTop ? FactReads::current() : nullptr;
  if (reads != nullptr) reads->absent(text);
  if (text == "server_facts" || (is_bound && (text == "facts" || text == "trusted"))) {
    fail(Issue::kIllegalReservedAssignment, expression, {std::string(text)});
  }
  if (is_bound) {
    const bool is_built_in = text == "name" || text == "title";
    fail(is_built_in ? Issue::kIllegalReassignmentOfBuiltIn : Issue::kIllegalReassignment,
         expression, {std::string(text)});
  }
  if (is_reserved(name)) {
    fail_at(expression, Issue::kReservedVariable, {std::string(text)});
  }
  scope_.set(name, value);
}

void Evaluation::assign_list(const LiteralList& targets, Value value,
                             const AssignmentExpression& expression) {
  if (value.is_hash()) {
    for (const Expression* target : targets.values) {
      const auto* variable = target->try_as<VariableExpression>();
      const Value* found = variable ? value.as_hash().find(variable->name.text()) : nullptr;
      if (found == nullptr) {
        std::string key = variable ? std::string(variable->name.text()) : label(*target);
        fail(Issue::kMissingMultiAssignmentKey, expression, {std::move(key)});
      }
      assign(*target, *found, expression);
    }
    return;
  }
  if (value.is_type() && value.as_type()->kind == TypeKind::kClass) {
    if (evaluator_.settings().scripting || evaluator_.host().catalog == nullptr) {
      fail(Issue::kCatalogOperationNotSupportedWhenScripting, expression,
           {"multi var assignment from class"});
    }
    const Name class_name = value.as_type()->as<ClassType>().class_name;
    if (!class_name) {
      fail_at(expression, Issue::kUnusableValue,
              {std::string(problem_of_reference(*value.as_type()))});
    }
    Scope* class_scope = evaluator_.host().catalog->class_scope(class_name);
    if (class_scope == nullptr) {
      fail(Issue::kUnknownResource, *expression.right, {"Class", std::string(class_name.text())});
    }
    for (const Expression* target : targets.values) {
      const auto* variable = target->try_as<VariableExpression>();
      const Value* found = variable ? class_scope->find(variable->name) : nullptr;
      if (found == nullptr) {
        const std::string name = variable ? std::string(variable->name.text()) : label(*target);
        fail(Issue::kMissingMultiAssignmentVariable, *target,
             {std::string(class_name.text()) + "::" + name});
      }
      assign(*target, *found, expression);
    }
    return;
  }
  const std::span<const Value> values = value.is_array() ? value.as_array() : std::span(&value, 1);
  if (values.size() != targets.values.size()) {
    fail(Issue::kIllegalMultiAssignmentSize, expression,
         {std::to_string(targets.values.size()), std::to_string(values.size())});
  }
  for (size_t i = 0; i < values.size(); ++i) assign(*targets.values[i], values[i], expression);
}

// --- strings -------------------------------------------------------------------------------------

namespace {

// A text under construction at the end of a shared buffer; its part is removed at the end.
class TextInProgress {
 public:
  explicit TextInProgress(std::string& buffer) : buffer_(buffer), start_(buffer.size()) {}
  ~TextInProgress() { buffer_.resize(start_); }
  TextInProgress(const TextInProgress&) = delete;
  TextInProgress& operator=(const TextInProgress&) = delete;
  std::string_view text() const { return std::string_view(buffer_).substr(start_); }

 private:
  std::string& buffer_;
  size_t start_;
};

}  // namespace

Value Evaluation::evaluate_concatenation(const ConcatenatedString& expression) {
  std::string& buffer = caches().text;
  const TextInProgress in_progress(buffer);
  // As in Ruby's join: the first text that is not ASCII determines the encoding of the result, else
  // the first text.
  bool is_bytes = false;
  std::string_view first;  // the first part, when it is the text of a value
  for (const Expression* segment : expression.segments) {
    if (const auto* literal = segment->try_as<LiteralString>()) {
      buffer.append(literal->value);
      continue;
    }
    const auto* text = segment->try_as<TextExpression>();
    Value value = evaluate(text ? *text->expression : *segment);
    if (value.is_control()) return value;
    if (value.is_string()) {
      if (value.is_byte_string()) {
        const bool has_more_than_ascii =
            std::ranges::any_of(value.as_string(), [](char c) { return c < 0; });
        is_bytes |= in_progress.text().empty() || has_more_than_ascii;
      }
      if (in_progress.text().empty()) first = value.as_string();
      buffer.append(value.as_string());
    } else {
      append_interpolated(buffer, value);
    }
    check_length(in_progress.text().size());
  }
  const std::string_view text = caches().growing_text.extend(arena(), first, in_progress.text());
  return is_bytes ? Value::byte_string(text) : Value::string(text);
}

Value Evaluation::evaluate_heredoc(const HeredocExpression& expression) {
  Value text = evaluate(*expression.text);
  // Validation has already checked text without interpolation.
  const bool is_static = expression.text->kind == NodeKind::kLiteralString;
  if (!text.is_string() || is_static || expression.syntax.empty()) return text;
  auto mistake = check_text_syntax(text.as_string(), expression.syntax);
  if (mistake && info(mistake->issue).severity == Severity::kError) {
    throw EvaluationError(
        make_diagnostic(mistake->issue, place(*expression.text).range(),
                        {std::string(expression.syntax), std::move(mistake->detail)}),
        ErrorKind::kError);
  }
  return text;
}

const Type* Evaluation::evaluate_type(const Expression& expression) {
  bool keep = false;
  if (const Value* known = caches().constants.find(&expression)) {
    if (!known->is_control()) return known->as_type();
  } else {
    keep = is_constant(expression);
    if (!keep) caches().constants.add(&expression, Value::control(Control::kNext));
  }
  const Value value = evaluate(expression);
  if (!value.is_type()) {
    fail(Issue::kTypeMismatch, expression, {"Type", key_type_name(arena(), value)});
  }
  if (keep) caches().constants.add(&expression, value);
  return value.as_type();
}

}  // namespace bunraku
