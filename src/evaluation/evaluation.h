// The inside of the evaluator: one function per kind of expression. Internal to this room.
#pragma once

#include "evaluation/caches.h"
#include "evaluation/evaluator.h"
#include "evaluation/fact_reads.h"

namespace bunraku {

// The values of an expression list, on the stack when they are few.
class ArgumentList {
 public:
  explicit ArgumentList(Arena& arena) : arena_(arena) {}
  ArgumentList(const ArgumentList&) = delete;
  ArgumentList& operator=(const ArgumentList&) = delete;

  void push(Value value) {
    if (size_ == capacity_) grow();
    values_[size_++] = value;
  }
  std::span<const Value> values() const { return {values_, size_}; }
  Value& operator[](size_t at) { return values_[at]; }
  size_t size() const { return size_; }

 private:
  static constexpr size_t kInline = 6;
  void grow();

  Arena& arena_;
  size_t size_ = 0;
  size_t capacity_ = kInline;
  Value inline_[kInline];
  Value* values_ = inline_;
};

// Makes another program the current one during its lifetime.
class ProgramGuard {
 public:
  ProgramGuard(Evaluator& evaluator, const Program* program)
      : evaluator_(evaluator), saved_(evaluator.program_) {
    evaluator.program_ = program;
  }
  ~ProgramGuard() { evaluator_.program_ = saved_; }
  ProgramGuard(const ProgramGuard&) = delete;
  ProgramGuard& operator=(const ProgramGuard&) = delete;

 private:
  Evaluator& evaluator_;
  const Program* saved_;
};

// Returns the statement of a block with one statement.
inline const Expression& without_block(const Expression& expression) {
  if (expression.kind != NodeKind::kBlockExpression) return expression;
  const auto& statements = static_cast<const BlockExpression&>(expression).statements;
  return statements.size() == 1 ? *statements[0] : expression;
}

class Evaluation {
 public:
  Evaluation(Evaluator& evaluator, Scope& scope) : evaluator_(evaluator), scope_(scope) {}

  // May return a control value: every caller tests for it and returns it.
  Value evaluate(const Expression& expression) {
    switch (expression.kind) {
      case NodeKind::kLiteralInteger:
        return Value::integer(static_cast<const LiteralInteger&>(expression).value);
      case NodeKind::kLiteralString:
        return Value::string(static_cast<const LiteralString&>(expression).value);
      case NodeKind::kVariableExpression:
        return evaluate_variable(static_cast<const VariableExpression&>(expression));
      default:
        return evaluate_composite(expression);
    }
  }

  // --- calls.cc ---
  Value call(const CallNamedFunctionExpression& expression);
  Value call_method(const CallMethodExpression& expression);
  // Calls a closure with its arguments, in the scope that encloses it. A `next` is converted to the
  // result.
  enum class Arguments : uint8_t { kUnchecked, kFitting };
  Value call_closure(const ClosureInfo& closure, std::span<const Value> arguments,
                     Arguments are = Arguments::kUnchecked);
  // When arguments are passed by name (templates), a required parameter may follow an optional one.
  enum class Passing : uint8_t { kByPosition, kByName };
  const Signature& signature_of(const ClosureInfo& closure, Passing passing = Passing::kByPosition);

  // --- templates.cc ---
  Value render_template(const LambdaExpression& lambda, const EppExpression& epp, Value arguments);

  const Type* evaluate_type(const Expression& expression);
  Arena& arena() { return evaluator_.arena(); }
  Evaluator::Caches& caches() { return *evaluator_.caches_; }
  static Evaluator::Caches& caches_of(Evaluator& evaluator) { return *evaluator.caches_; }
  static void set_call_chain(Evaluator& evaluator, const CallFrame* frame) {
    evaluator.call_chain_ = frame;
  }

 private:
  // --- evaluation.cc ---
  Value evaluate_composite(const Expression& expression);
  Value dispatch(const Expression& expression);
  Value evaluate_variable(const VariableExpression& variable) {
    if (variable.number < 0) {
      if (const Value* found = scope_.find(variable.name)) {
        if (FactReads* reads = FactReads::current()) reads->variable(variable.name, found);
        return *found;
      }
    }
    return evaluate_unusual_variable(variable);
  }
  Value evaluate_unusual_variable(const VariableExpression& variable);
  Value evaluate_reference(const QualifiedReference& reference);
  Value evaluate_list(const LiteralList& list);
  Value evaluate_hash(const LiteralHash& hash);
  Value evaluate_block(const BlockExpression& block);
  Value evaluate_if(const IfExpression& expression);
  Value evaluate_unless(const UnlessExpression& expression);
  Value evaluate_case(const CaseExpression& expression);
  Value evaluate_selector(const SelectorExpression& expression);
  // Returns whether `test` matches the option; undef means no, a control value is returned.
  Value option_matches(Value test, const Expression& option);
  Value evaluate_unfold(const UnfoldExpression& expression);
  Value evaluate_assignment(const AssignmentExpression& expression);
  Value evaluate_concatenation(const ConcatenatedString& expression);
  Value evaluate_heredoc(const HeredocExpression& expression);
  Value assign(const Expression& target, Value value, const AssignmentExpression& expression);
  void assign_list(const LiteralList& targets, Value value, const AssignmentExpression& expression);
  void set_variable(Name name, Value value, const AssignmentExpression& expression);
  // Appends the values of the expressions, with unfolding. Returns a control value, or undef on
  // success.
  Value evaluate_all(ExpressionList expressions, ArgumentList& values);
  bool is_constant(const Expression& expression);

  // --- operators.cc ---
  Value evaluate_arithmetic(const ArithmeticExpression& expression);
  Value evaluate_comparison(const ComparisonExpression& expression);
  Value compare_values(Value left, Value right, const ComparisonExpression& expression);
  Value evaluate_match(const MatchExpression& expression);
  Value evaluate_in(const InExpression& expression);
  Value evaluate_unary_minus(const UnaryMinusExpression& expression);
  Value calculate(Value left, Value right, const ArithmeticExpression& expression);
  Value calculate_integers(int64_t left, int64_t right, const ArithmeticExpression& expression);
  Value calculate_floats(double left, double right, const ArithmeticExpression& expression);
  Value calculate_time(Value left, Value right, const ArithmeticExpression& expression);
  [[noreturn]] void fail_on_version(Value left, Value right,
                                    const ArithmeticExpression& expression);
  Value add_to_collection(Value left, Value right, const ArithmeticExpression& expression);
  Value coerce_numeric(Value value, const Expression& at);
  [[noreturn]] void fail_overflow(std::string hexadecimal, const Expression& at);

  // --- matching.cc ---
  bool matches(Value pattern, Value value);
  bool matches(Value pattern, Value value, Nesting& nesting);
  bool includes(Value container, Value value);
  bool array_includes(std::span<const Value> array, Value value);
  bool match_regex(std::string_view pattern, std::string_view text);
  bool range_includes(const SemVerRange& range, Value value);

  // --- access.cc ---
  Value evaluate_access(const AccessExpression& expression);
  // Evaluates the left side of an access: for facts only the accessed part counts as read.
  Value evaluate_accessed(const Expression& expression);
  Value evaluate_key(const Expression& key);
  Value access(Value left, std::span<const Value> keys, const AccessExpression& expression);
  Value access_array(std::span<const Value> array, std::span<const Value> keys,
                     const AccessExpression& expression);
  Value access_hash(const HashObject& hash, std::span<const Value> keys);
  std::string_view access_text(std::string_view text, bool is_binary, std::span<const Value> keys,
                               const AccessExpression& expression);
  Value access_type(const Type* type, std::span<const Value> keys,
                    const AccessExpression& expression);
  Value access_resource(const ResourceType& type, std::span<const Value> keys,
                        const AccessExpression& expression);
  Value access_class(const ClassType& type, std::span<const Value> keys,
                     const AccessExpression& expression);
  Value resource_parameters(const ResourceType& type, std::span<const Value> names, bool is_array,
                            const AccessExpression& expression);
  [[noreturn]] void fail_without_keys(const Type* type, const AccessExpression& expression);
  // The keys of an array as integers.
  std::span<const int64_t> array_indices(std::span<const Value> array, std::span<const Value> keys,
                                         std::span<int64_t, 2> indices,
                                         const AccessExpression& expression);
  const Expression& blamed_key(const AccessExpression& expression, size_t at);

  // --- calls.cc ---
  Value call_by_name(Name name, std::span<const Value> arguments, const LambdaExpression* lambda,
                     const Expression& at);
  // Determines the value of an object's attribute or method; returns false when the object has no
  // such member.
  bool call_member(Value receiver, Name name, const CallMethodExpression& expression,
                   Value& result);
  // Calls `answer` with a Call made of the expression's arguments and lambda.
  template <typename Answer>
  Value with_call(const CallMethodExpression& expression, Answer&& answer);
  Value complete_arguments(const ClosureInfo& closure, std::span<const Value> arguments,
                           ArgumentList& values);
  Value bind_and_call(const ClosureInfo& closure, std::span<const Value> arguments, Arguments are);
  void check_arguments(const ClosureInfo& closure, std::span<const Value> arguments);
  Value finish_call(const ClosureInfo& closure, Value result);
  Value default_of(const Parameter& parameter, ParameterScope& parameters);

  // --- catalog_expressions.cc ---
  CatalogHost& catalog_for(const Expression& expression);
  // The titles and parameters of a body of a resource expression.
  struct EvaluatedBody;
  Value evaluate_resource(const ResourceExpression& expression);
  // Evaluates a body's titles. Adds them to `seen`, the titles of the whole expression. Returns
  // undef, or a control value.
  Value evaluate_titles(const ResourceBody& source, const ResourceExpression& expression,
                        HashBuilder& seen, EvaluatedBody& body);
  void check_title(Value title, size_t at, const Expression& place);
  // Returns undef, or a control value.
  Value evaluate_parameters(const ResourceBody& source, const ResourceExpression& expression,
                            EvaluatedBody& body);
  Value create_resources(CatalogHost& catalog, const ResourceExpression& expression, Name type_name,
                         std::span<const EvaluatedBody> bodies);
  Name resource_type_name(const ResourceExpression& expression);
  Value evaluate_defaults(const ResourceDefaultsExpression& expression);
  Value evaluate_override(const ResourceOverrideExpression& expression);
  Value evaluate_collector(const CollectExpression& expression);
  Value evaluate_relationship(const RelationshipExpression& expression);
  void add_operand(Value operand, const RelationshipExpression& expression, std::vector<Value>& to);
  // Returns undef, or a control value.
  Value evaluate_operation(const Expression& operation, EvaluatedParameters& to);
  Value resource_value(Value value);

  // --- templates.cc ---
  Value evaluate_epp(const EppExpression& expression);
  Value evaluate_render(const RenderExpression& expression);

  Place place(const Expression& at) const { return evaluator_.place(at); }
  // Fails for an expression that the parser and validation reject at this position.
  [[noreturn]] void fail_unexpected(const Expression& expression);
  [[noreturn]] void fail(Issue issue, const Expression& at,
                         std::vector<std::string> arguments = {}) {
    evaluator_.fail(issue, at, std::move(arguments));
  }
  // Fails as when the reference's code raises: "Error while evaluating ..., <message>".
  [[noreturn]] void fail_at(const Expression& at, Issue issue, std::vector<std::string> arguments);

  Evaluator& evaluator_;
  Scope& scope_;
};

// The result of Ruby's String(value), such as Integer.to_s, for messages.
std::string ruby_text(Value value);
// "Integer", "Undef", "Default": the generalised type of a value in messages about keys.
std::string key_type_name(Arena& arena, Value value);
// Returns the expression within parentheses.
const Expression& without_parentheses(const Expression& expression);

}  // namespace bunraku
