#include "evaluation/evaluator.h"

#include <algorithm>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "base/memory/data_names.h"
#include "base/system/profile.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "evaluation/evaluation.h"
#include "evaluation/suggestions.h"
#include "types/built_in_types.h"

namespace bunraku {

Evaluator::Evaluator(Arena& arena, const Host& host, const EvaluationSettings& settings)
    : arena_(arena),
      host_(host),
      settings_(settings),
      top_scope_(arena, Scope::Kind::kTop, nullptr),
      caches_(std::make_unique<Caches>()) {}

Evaluator::~Evaluator() = default;

const Program* Evaluator::kept_template(std::string_view text) const {
  auto found = kept_templates_.find(text);
  return found == kept_templates_.end() ? nullptr : found->second.get();
}

void Evaluator::keep_template(ProgramPointer program) {
  const std::string_view text = program->source()->text();
  kept_templates_.emplace(text, std::move(program));
}

bool Evaluator::is_first_warning(std::string_view key) {
  constexpr size_t kMost = 100;
  if (warnings_shown_.size() >= kMost ||
      std::ranges::find(warnings_shown_, key) != warnings_shown_.end()) {
    return false;
  }
  warnings_shown_.emplace_back(key);
  return true;
}

// --- evaluation ----------------------------------------------------------------------------------

Value Evaluator::evaluate(const Expression& expression, Scope& scope) {
  return Evaluation(*this, scope).evaluate(expression);
}

Value Evaluator::evaluate(const Program& program, const Expression& expression, Scope& scope) {
  const ProgramGuard guard(*this, &program);
  return Evaluation(*this, scope).evaluate(expression);
}

namespace {

// Adds a call to the call chain for its duration.
class CallGuard {
 public:
  CallGuard(Evaluator& evaluator, Name function, const Place& place)
      : evaluator_(evaluator),
        frame_{function, place, evaluator.call_chain(),
               evaluator.call_chain() ? evaluator.call_chain()->depth + 1 : 1} {
    if (frame_.is_program()) --frame_.depth;
    if (frame_.depth > kMaxCallDepth) evaluator.fail_endless_recursion(place);
    Evaluation::set_call_chain(evaluator, &frame_);
  }
  ~CallGuard() { Evaluation::set_call_chain(evaluator_, frame_.caller); }
  CallGuard(const CallGuard&) = delete;
  CallGuard& operator=(const CallGuard&) = delete;

 private:
  Evaluator& evaluator_;
  CallFrame frame_;
};

}  // namespace

Value Evaluator::evaluate_program(const Program& program, Scope& scope) {
  const CallGuard guard(*this, Name(), Place{&program, nullptr});
  Value value = evaluate(program, *program.body, scope);
  if (value.is_control()) fail_illegal_control(value.as_control());
  return value;
}

Value Evaluator::evaluate_body(const Program& program, const Expression& body, Scope& scope) {
  Value value = evaluate(program, body, scope);
  if (!value.is_control()) return value;
  if (value.as_control() == Control::kBreak) fail_illegal_control(Control::kBreak);
  return control_value_;
}

const Type* Evaluator::evaluate_type(const Program& program, const Expression& expression,
                                     Scope& scope) {
  const ProgramGuard guard(*this, &program);
  return Evaluation(*this, scope).evaluate_type(expression);
}

const Type* Evaluator::find_type(Name cased, Name lower_case) {
  const void* key = cased.text().data();
  if (const Type* const* known = caches_->types.find(key)) return *known;
  std::string_view name = lower_case.text();
  if (name.starts_with("::")) name.remove_prefix(2);
  const Type* type = types::find_builtin(name);
  if (type == nullptr && host_.types != nullptr) type = host_.types->find_type(cased.text());
  if (type != nullptr && caches_->types.find(key) == nullptr) caches_->types.add(key, type);
  return type;
}

namespace {

QualifiedVariable split_variable(std::string_view name) {
  if (name.starts_with("::")) name.remove_prefix(2);
  const size_t at = name.rfind("::");
  if (at == std::string_view::npos) return {Name(), data_name(name)};
  return {data_name(name.substr(0, at)), data_name(name.substr(at + 2))};
}

}  // namespace

const Value* Evaluator::find_variable(Name name, Scope& scope) {
  unloadable_class_.reset();
  const Value* found = look_for_variable(name, scope);
  if (FactReads* reads = FactReads::current()) reads->variable(name, found);
  return found;
}

const Value* Evaluator::look_for_variable(Name name, Scope& scope) {
  if (const Value* found = scope.find(name)) return found;
  if (name.text().find("::") == std::string_view::npos) return nullptr;
  const void* key = name.text().data();
  const QualifiedVariable* known = caches_->qualified.find(key);
  if (known == nullptr) known = &caches_->qualified.add(key, split_variable(name.text()));
  const QualifiedVariable variable = *known;
  if (!variable.class_name) return top_scope_.variables().find(variable.variable);
  // Set by a template's or the host's qualified name.
  if (const Value* found = top_scope_.find(name)) return found;
  if (host_.catalog == nullptr) return nullptr;
  for (Scope* at = scope_for_variables(variable.class_name); at != nullptr; at = at->inherited()) {
    if (const Value* found = at->find_local(variable.variable)) return found;
  }
  return nullptr;
}

// A class that cannot be loaded has no variables, as in the reference.
Scope* Evaluator::scope_for_variables(Name class_name) {
  try {
    return host_.catalog->class_scope(class_name);
  } catch (const EvaluationError& error) {
    unloadable_class_ = error;
    return nullptr;
  }
}

namespace {

// The name of a class, which is the variable $title of its scope.
std::string_view class_of(const Scope& scope) {
  static const Name kTitle("title");
  const Value* title = scope.find_local(kTitle);
  return title != nullptr && title->is_string() ? title->as_string() : std::string_view();
}

// The name of a missing variable in messages: the last of the inherited classes is part of it.
std::string name_where_missing(const Scope& class_scope, std::string_view variable) {
  const Scope* last = &class_scope;
  while (last->inherited() != nullptr) last = last->inherited();
  return std::string(class_of(*last)).append("::").append(variable);
}

}  // namespace

MissingVariable Evaluator::missing_variable(std::string_view name) {
  const bool is_qualified = name.find("::") != name.npos;
  if (name.starts_with("::")) name.remove_prefix(2);
  const size_t at = name.rfind("::");
  MissingVariable missing{std::string(name), {}};
  if (at != name.npos && host_.catalog != nullptr) {
    const Name class_name = data_name(name.substr(0, at));
    const std::string text = "class " + std::string(class_name.text());
    if (unloadable_class_) {
      const bool is_evaluation = unloadable_class_->kind() == ErrorKind::kEvaluation;
      missing.reason =
          (is_evaluation ? "Evaluation Error: " : "") + one_line(unloadable_class_->diagnostic());
    } else if (!host_.catalog->is_known_class(class_name)) {
      missing.reason = text + " could not be found";
    } else if (const Scope* searched = host_.catalog->class_scope(class_name)) {
      missing.name = name_where_missing(*searched, name.substr(at + 2));
    } else {
      missing.reason = text + " has not been evaluated";
    }
  }
  if (is_qualified && missing.reason.empty()) missing.name.insert(0, "::");
  return missing;
}

Value Evaluator::look_up_variable(std::string_view name, Scope& scope) {
  const bool is_number =
      !name.empty() && name.size() < 6 && name.find_first_not_of("0123456789") == name.npos;
  if (is_number) return scope.match_variable(std::stoi(std::string(name)));
  if (const Value* found = find_variable(Name(name), scope)) return *found;
  if (name == "module_name" || name == "caller_module_name") return Value();
  const auto [shown, reason] = missing_variable(name);
  if (settings_.strict == Strictness::kError) {
    throw EvaluationError(make_diagnostic(Issue::kUndefinedVariable, {}, {shown, reason}));
  }
  const bool is_told = settings_.strict == Strictness::kWarning && host_.log != nullptr &&
                       settings_.warns_of_undefined_variables &&
                       is_first_warning("Variable: " + shown);
  if (is_told) {
    LogRecord record;
    record.level = LogLevel::kWarning;
    record.message =
        "Undefined variable '" + shown + "'; " + reason + "\n   (file & line not available)";
    host_.log->log(record);
  }
  return Value();
}

// --- calls ---------------------------------------------------------------------------------------

namespace {

// Functions are found by their names in lower case; a leading "::" has no meaning.
Name function_key(Name name) {
  std::string_view text = name.text();
  if (!text.starts_with("::") && std::ranges::none_of(text, is_upper)) return name;
  if (text.starts_with("::")) text.remove_prefix(2);
  return Name(downcase(text));
}

}  // namespace

const Function* Evaluator::find_function(Name name, const Place& place) {
  const void* key = name.text().data();
  if (const Function* const* known = caches_->functions.find(key)) return *known;
  if (host_.functions == nullptr) return nullptr;
  const Function* function = host_.functions->find_function(function_key(name), place);
  if (function != nullptr && caches_->functions.find(key) == nullptr) {
    caches_->functions.add(key, function);
  }
  return function;
}

Value Evaluator::call_function(Name name, std::span<const Value> arguments, const Block* block,
                               Scope& scope, const Place& place,
                               std::optional<std::string_view> caller) {
  const Function* function = find_function(name, place);
  if (function == nullptr) fail_unknown_function(name, place);
  const CallGuard guard(*this, name, place);
  const ProfileSpan span(WorkKind::kFunction, name.text());
  Call call{*this, scope, arguments, block, place, caller};
  return function->call(call);
}

// --- leaving early -------------------------------------------------------------------------------

Value Evaluator::leave(Control control, Value value, const Place& place) {
  control_value_ = value;
  control_place_ = place;
  return Value::control(control);
}

void Evaluator::fail_illegal_control(Control control) {
  static constexpr std::string_view kNames[] = {"next", "break", "return"};
  Diagnostic diagnostic = make_diagnostic(Issue::kIllegalControl, control_place_.range(),
                                          {std::string(kNames[static_cast<size_t>(control)])});
  diagnostic.primary.is_whole_line = true;
  // The reference has a file name for code that is not from a file.
  if (const SourcePointer& file = diagnostic.primary.file; file && file->path().empty()) {
    diagnostic.primary.file =
        std::make_shared<const SourceFile>("unknown", std::string(file->text()));
  }
  throw EvaluationError(std::move(diagnostic), ErrorKind::kError);
}

// --- errors --------------------------------------------------------------------------------------

void Evaluator::fail(Issue issue, const Place& place, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, place.range(), std::move(arguments)));
}

void Evaluator::fail_unknown_function(Name name, const Place& place) {
  Diagnostic diagnostic =
      make_diagnostic(Issue::kUnknownFunction, place.range(), {std::string(name.text())});
  if (host_.functions != nullptr) {
    suggest(diagnostic, name.text(), host_.functions->function_names());
  }
  throw EvaluationError(std::move(diagnostic));
}

void Evaluator::fail_unknown_type(std::string_view name, const Place& place) {
  Diagnostic diagnostic =
      make_diagnostic(Issue::kUnknownResourceType, place.range(), {std::string(name)});
  std::vector<std::string> known = types::builtin_names();
  if (host_.types != nullptr) {
    for (std::string& more : host_.types->type_names()) known.push_back(std::move(more));
  }
  suggest(diagnostic, name, std::move(known));
  throw EvaluationError(std::move(diagnostic));
}

void Evaluator::report(Issue issue, Strictness strictness, const Place& place,
                       std::vector<std::string> arguments) {
  switch (strictness) {
    case Strictness::kOff:
      return;
    case Strictness::kError:
      fail(issue, place, std::move(arguments));
    case Strictness::kWarning: {
      if (host_.log == nullptr) return;
      Diagnostic diagnostic = make_diagnostic(issue, place.range(), std::move(arguments));
      diagnostic.severity = Severity::kWarning;
      host_.log->log(log_record(diagnostic));
    }
  }
}

const CallFrame* CallFrame::in_code() const {
  const CallFrame* frame = this;
  const auto is_outside = [](const CallFrame& one) {
    if (one.place.expression == nullptr) return !one.is_program();
    return one.caller != nullptr && one.caller->place.expression == one.place.expression;
  };
  while (frame != nullptr && is_outside(*frame)) frame = frame->caller;
  return frame;
}

std::string CallFrame::text() const {
  std::string text = std::string(function.text()) + "()";
  if (place.program != nullptr) {
    const Position at = place.program->position(*place.expression);
    const std::string& path = place.program->path();
    text += " at " + (path.empty() ? std::string("line ") : path + ":") + std::to_string(at.line);
  }
  return text;
}

void Evaluator::fail_endless_recursion(const Place& place) {
  constexpr size_t kShownCalls = 6;
  const CallFrame* innermost = call_chain_;
  const std::string name = innermost ? std::string(innermost->function.text()) : "the code";
  const uint32_t depth = innermost ? innermost->depth : 0;
  std::string chain;
  size_t shown = 0;
  for (const CallFrame* frame = innermost;
       frame != nullptr && !frame->is_program() && shown < kShownCalls;
       frame = frame->caller, ++shown) {
    chain += shown == 0 ? " The last calls: " : ", ";
    chain += frame->text();
  }
  fail(Issue::kEndlessRecursion, place, {std::to_string(depth), name, chain});
}

Range Place::range() const {
  if (program == nullptr || expression == nullptr) return {};
  return {program->source(), expression->location, false};
}

void add_place(EvaluationError& error, const Place& place) {
  Diagnostic& diagnostic = error.diagnostic();
  if (diagnostic.primary.file != nullptr || place.program == nullptr) return;
  // As in the reference, a failed look-up is reported without the place that requested it.
  if (error.kind() == ErrorKind::kLookup) return;
  Place blamed = place;
  if (const auto* access_error = dynamic_cast<const AccessError*>(&error)) {
    if (const auto* access = place.expression->try_as<AccessExpression>()) {
      const int key = access_error->blamed();
      if (key == AccessError::kLeft) blamed.expression = access->left;
      if (key >= 0 && static_cast<size_t>(key) < access->keys.size()) {
        blamed.expression = access->keys[static_cast<size_t>(key)];
      }
    }
  }
  diagnostic.primary = blamed.range();
  if (!info(diagnostic.issue).is_raised) return;
  error = EvaluationError(
      make_diagnostic(Issue::kErrorWhileEvaluating, blamed.range(),
                      {with_article(label(*place.expression))}, std::move(diagnostic)),
      error.kind());
}

Value& Evaluator::annotation(const void* holder, const ObjectType* type) {
  return caches_->annotations[{holder, type}];
}

}  // namespace bunraku
