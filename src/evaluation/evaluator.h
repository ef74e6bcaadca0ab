// The evaluator of syntax trees. One per compilation; not thread-safe.
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
  // Warnings that the setting disable_warnings does not turn off.
  bool warns_of_deprecations = true;
  bool warns_of_undefined_variables = true;
};

// A call in progress, or a whole file being evaluated; frames form a list on the C++ stack.
struct CallFrame {
  Name function;
  Place place;
  const CallFrame* caller;
  uint32_t depth;

  // A file has neither a name nor a place.
  bool is_program() const { return place.expression == nullptr && !function; }
  // This frame or the next outer one that is a file or a call in code of the language. Calls by
  // templates have no place, those by Ruby code that of their caller. Null when there is none.
  const CallFrame* in_code() const;
  // "f() at /x/site.pp:3"
  std::string text() const;
};

// The maximum depth of calls. The reference's own stack overflows far earlier.
constexpr uint32_t kMaxCallDepth = 5'000;

// The name of an unknown variable in messages, and the reason why it is unknown; often empty.
struct MissingVariable {
  std::string name;
  std::string reason;
};

class Evaluator {
 public:
  // Deep programs need a large stack; see run_on_large_stack().
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

  // Evaluates a whole file. A `next`, `break` or `return` that reaches its end is an error.
  Value evaluate_program(const Program& program, Scope& scope);
  // Evaluates the body of a class, define or node, which a `next` or `return` only ends.
  Value evaluate_body(const Program& program, const Expression& body, Scope& scope);
  // Evaluates an expression of `program`. May return a control value.
  Value evaluate(const Program& program, const Expression& expression, Scope& scope);
  // Evaluates an expression of the current program. May return a control value: test is_control()
  // and return it.
  Value evaluate(const Expression& expression, Scope& scope);
  // Evaluates an expression that must be a type: of a parameter, alias and so on. Constant types
  // are cached.
  const Type* evaluate_type(const Program& program, const Expression& expression, Scope& scope);
  // Finds a type by name, as for an upper-case name in code; null when there is none.
  const Type* find_type(Name cased, Name lower_case);

  // Finds a variable as `$name` in code does: simple, qualified or from the top (::x). Null when
  // there is none.
  const Value* find_variable(Name name, Scope& scope);
  // The reason why the class of the variable that was searched last could not be loaded; null when
  // there was none.
  const EvaluationError* unloadable_class() const {
    return unloadable_class_ ? &*unloadable_class_ : nullptr;
  }
  // The same for code in Ruby: an unknown variable is an error or a warning without a place, or
  // undef, by the setting `strict`. Numbers are match variables.
  Value look_up_variable(std::string_view name, Scope& scope);
  // The name and the reason for messages, after a call of find_variable() that returned null.
  MissingVariable missing_variable(std::string_view name);

  // --- calls ---

  // Calls a function by name; an unknown one is an error at `place`. `caller` as in Call.
  Value call_function(Name name, std::span<const Value> arguments, const Block* block, Scope& scope,
                      const Place& place, std::optional<std::string_view> caller = std::nullopt);
  // Returns null when there is none. The name may have a leading "::" and upper-case letters.
  const Function* find_function(Name name, const Place& place);

  // Renders a template; the result is a Sensitive String when a Sensitive value was inserted.
  // `arguments` is a hash, or undef when none were given; `callee` is "epp" or "inline_epp".
  Value render_template(const Program& program, std::string_view callee, Value arguments,
                        bool global_scope_only, Scope& scope);

  // Templates that were given as text, by their text; kept as long as the evaluator, because values
  // point into their trees. Null when there is none.
  const Program* kept_template(std::string_view text) const;
  void keep_template(ProgramPointer program);

  // --- leaving early ---

  // Returns the control value of a native `next`, `break` or `return`.
  Value leave(Control control, Value value, const Place& place);
  // The value that the current control value carries, and its origin.
  Value control_value() const { return control_value_; }
  const Place& control_place() const { return control_place_; }
  // Fails with "next() from context where this is illegal" and similar messages.
  [[noreturn]] void fail_illegal_control(Control control);

  // --- errors ---

  // The place of an expression of the current program.
  Place place(const Expression& at) const { return {program_, &at}; }
  [[noreturn]] void fail(Issue issue, const Place& place, std::vector<std::string> arguments = {});
  [[noreturn]] void fail(Issue issue, const Expression& at,
                         std::vector<std::string> arguments = {}) {
    fail(issue, place(at), std::move(arguments));
  }
  // These add suggestions for the name.
  [[noreturn]] void fail_unknown_function(Name name, const Place& place);
  [[noreturn]] void fail_unknown_type(std::string_view name, const Place& place);
  // Fails, warns or does nothing, depending on the settings.
  void report(Issue issue, Strictness strictness, const Place& place,
              std::vector<std::string> arguments = {});
  // Fails with "The calls are nested too deeply" and the call chain.
  [[noreturn]] void fail_endless_recursion(const Place& place);
  // Returns whether the key is new: for warnings that are shown once per compilation. After a
  // hundred keys it returns false, as in the reference.
  bool is_first_warning(std::string_view key);
  // The storage for an annotation of this type on the value at this address; undef when it has
  // none. The address distinguishes arrays, hashes, objects and types.
  Value& annotation(const void* holder, const ObjectType* type);
  const Program* program() const { return program_; }
  const CallFrame* call_chain() const { return call_chain_; }

 private:
  const Value* look_for_variable(Name name, Scope& scope);
  Scope* scope_for_variables(Name class_name);

  friend class Evaluation;  // has the functions per kind of expression
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

// Makes a function from its definition in the language, for the evaluator's compilation, which must
// outlive it. Keeps the program.
std::unique_ptr<Function> make_language_function(Evaluator& evaluator, ProgramPointer program,
                                                 const FunctionDefinition& definition);

// The name of an expression or value in messages, with or without the indefinite article: "a
// Function Call", "an 'if' statement".
std::string label(Value value);

// Adds the expression's place to an error without one: an error of native code becomes "Error while
// evaluating <the expression>, <message>"; one with its own issue is kept.
void add_place(EvaluationError& error, const Place& place);

}  // namespace bunraku
