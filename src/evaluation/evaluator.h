// The evaluator: turns a syntax tree into values. One for each compilation; not for several
// threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/diagnostics/strictness.h"
#include "evaluation/function.h"
#include "evaluation/host.h"
#include "evaluation/scope.h"
#include "syntax/label.h"

namespace bunraku {

// Defaults are those of the reference's version 8.
struct EvaluationSettings {
  Strictness strict = Strictness::kError;
  bool strict_variables = true;
  bool storeconfigs = false;
  bool scripting = false;  // no catalog: catalog expressions are errors
  bool tasks = false;
  // Warnings that the setting disable_warnings leaves in place.
  bool warns_of_deprecations = true;
  bool warns_of_undefined_variables = true;
};

// A call that is going on, or a whole file that is being evaluated; they form a list on the C++
// stack.
struct CallFrame {
  Name function;
  Place place;
  const CallFrame* caller;
  uint32_t depth;

  // A file has neither a name nor a place in itself.
  bool is_program() const { return place.expression == nullptr && !function; }
  // "f() at /x/site.pp:3"
  std::string text() const;
};

// How many calls may be going on within each other. The reference's own stack ends far earlier.
constexpr uint32_t kMaxCallDepth = 5'000;

class Evaluator {
 public:
  // Deep programs take a large stack; see run_on_large_stack().
  Evaluator(Arena& arena, const Host& host, const EvaluationSettings& settings = {});
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  Arena& arena() { return arena_; }
  Host& host() { return host_; }
  const EvaluationSettings& settings() const { return settings_; }
  Scope& top_scope() { return top_scope_; }
  const Scope& top_scope() const { return top_scope_; }

  // --- evaluation ---

  // A whole file. A `next`, `break` or `return` that reaches its end is an error.
  Value evaluate_program(const Program& program, Scope& scope);
  // The body of a class, define or node, whose `next` and `return` only end it.
  Value evaluate_body(const Program& program, const Expression& body, Scope& scope);
  // An expression of `program`. May be a control value.
  Value evaluate(const Program& program, const Expression& expression, Scope& scope);
  // An expression of the program that is being evaluated. May be a control value: test
  // is_control() and hand it on.
  Value evaluate(const Expression& expression, Scope& scope);
  // An expression that must be a type: of a parameter, alias and so on. Kept when it is constant.
  const Type* evaluate_type(const Program& program, const Expression& expression, Scope& scope);
  // A type by name, as an upper-case name in code; null when there is none.
  const Type* find_type(Name cased, Name lower_case);

  // The value of a variable as `$name` in code gives it: simple, qualified or from the top (::x).
  // Null when there is none.
  const Value* find_variable(Name name, Scope& scope);
  // Why the class of the variable that was looked for last could not be loaded; null when nothing
  // kept it from that.
  const EvaluationError* unloadable_class() const {
    return unloadable_class_ ? &*unloadable_class_ : nullptr;
  }
  // The same for code in Ruby: an unknown variable is an error or a warning without a place, or
  // undef, by the setting `strict`. Numbers are match variables.
  Value look_up_variable(std::string_view name, Scope& scope);

  // --- calls ---

  // Calls a function by name; an unknown one is an error at `place`. `caller` as in Call.
  Value call_function(Name name, std::span<const Value> arguments, const Block* block, Scope& scope,
                      const Place& place, std::optional<std::string_view> caller = std::nullopt);
  // Null when there is none.
  const Function* find_function(Name name, const Place& place);

  // A template's text; a Sensitive String when something Sensitive went into it. `arguments` is a
  // hash, or undef when none were given; `callee` is "epp" or "inline_epp".
  Value render_template(const Program& program, std::string_view callee, Value arguments,
                        bool global_scope_only, Scope& scope);

  // Templates that came as text, by their text: kept as long as the evaluator, for values point
  // into their trees. Null when there is none.
  const Program* kept_template(std::string_view text) const;
  void keep_template(ProgramPointer program);

  // --- leaving early ---

  // What a native `next`, `break` or `return` gives back.
  Value leave(Control control, Value value, const Place& place);
  // What the control value on its way carries, and where it came from.
  Value control_value() const { return control_value_; }
  const Place& control_place() const { return control_place_; }
  // "next() from context where this is illegal" and the like.
  [[noreturn]] void fail_illegal_control(Control control);

  // --- errors ---

  // The place of an expression of the program that is being evaluated.
  Place place(const Expression& at) const { return {program_, &at}; }
  [[noreturn]] void fail(Issue issue, const Place& place, std::vector<std::string> arguments = {});
  [[noreturn]] void fail(Issue issue, const Expression& at,
                         std::vector<std::string> arguments = {}) {
    fail(issue, place(at), std::move(arguments));
  }
  // These say what the name may have meant.
  [[noreturn]] void fail_unknown_function(Name name, const Place& place);
  [[noreturn]] void fail_unknown_type(std::string_view name, const Place& place);
  // Fails, warns or does nothing, by the settings.
  void report(Issue issue, Strictness strictness, const Place& place,
              std::vector<std::string> arguments = {});
  // "The calls are nested too deeply", with the call chain.
  [[noreturn]] void fail_endless_recursion(const Place& place);
  // True when this key was not given before: for warnings that are shown once in a compilation.
  // After a hundred it is always false, as in the reference.
  bool is_first_warning(std::string_view key);
  // Where the annotation of this type is kept that the value at this address has; undef when it has
  // none. The address distinguishes arrays, hashes, objects and types.
  Value& annotation(const void* holder, const ObjectType* type);
  const Program* program() const { return program_; }
  const CallFrame* call_chain() const { return call_chain_; }

 private:
  const Value* look_for_variable(Name name, Scope& scope);
  Scope* scope_for_variables(Name class_name);

  friend class Evaluation;  // the expression kinds
  friend class ProgramGuard;
  struct Caches;

  Arena& arena_;
  Host host_;
  EvaluationSettings settings_;
  Scope top_scope_;
  const Program* program_ = nullptr;
  const CallFrame* call_chain_ = nullptr;
  Value control_value_;
  Place control_place_;
  std::vector<std::string> warnings_shown_;
  std::unordered_map<std::string_view, ProgramPointer> kept_templates_;
  std::unique_ptr<Caches> caches_;
  std::optional<EvaluationError> unloadable_class_;
};

// A function written in the language, for the evaluator's compilation, which must outlive it. Keeps
// the program.
std::unique_ptr<Function> make_language_function(Evaluator& evaluator, ProgramPointer program,
                                                 const FunctionDefinition& definition);

// "a Function Call", "an 'if' statement": what messages call an expression or value, with the
// indefinite article or without.
std::string label(Value value);

// Errors without a place get that of the expression: what was raised by native code becomes "Error
// while evaluating <the expression>, <message>"; an issue of its own stays as it is.
void add_place(EvaluationError& error, const Place& place);

}  // namespace bunraku
