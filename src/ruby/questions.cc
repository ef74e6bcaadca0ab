// What Ruby code may ask of the compiler.

#include <algorithm>

#include "evaluation/evaluator.h"
#include "pcore/conversion.h"
#include "ruby/session.h"
#include "support/log.h"

namespace bunraku {

Arena& RubyAsking::arena() const {
  return session.evaluator().arena();
}

namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, {}, {std::move(message)}));
}

Value some_text(const RubyAsking& asking, const std::optional<std::string>& text) {
  return text ? Value::string(asking.arena(), *text) : Value();
}

// --- variables ----------------------------------------------------------------------------------

// [value], or undef when there is no such variable.
Value find_variable(const RubyAsking& asking) {
  const Value* found = asking.evaluator().find_variable(Name(asking.text(0)), asking.scope);
  return found == nullptr ? Value() : Value::array(asking.arena(), {*found});
}

// The same for many: {name => value} of those that there are.
Value find_variables(const RubyAsking& asking) {
  HashBuilder found(asking.arena());
  for (Value name : asking.arguments) {
    if (!name.is_string()) continue;
    const Value* value = asking.evaluator().find_variable(Name(name.as_string()), asking.scope);
    if (value != nullptr) found.set(name, *value);
  }
  return found.finish();
}

Value match_variable(const RubyAsking& asking) {
  return asking.scope.match_variable(
      static_cast<int32_t>(std::clamp<int64_t>(asking.number(0), 0, INT32_MAX)));
}

Value all_variables(const RubyAsking& asking) {
  HashBuilder all(asking.arena());
  asking.scope.add_visible_to(all);
  return all.finish();
}

Value set_variable(const RubyAsking& asking) {
  const Name name(asking.text(0));
  if (asking.scope.is_bound(name)) {
    throw EvaluationError(
        make_diagnostic(Issue::kIllegalReassignment, {}, {std::string(name.text())}));
  }
  asking.scope.set(name, asking.argument(1));
  return asking.argument(1);
}

// --- calls --------------------------------------------------------------------------------------

Value call_function(const RubyAsking& asking) {
  std::string_view name = asking.text(0);
  if (name.starts_with("::")) name.remove_prefix(2);
  return asking.evaluator().call_function(Name(name), asking.arguments.subspan(1), asking.block,
                                          asking.scope, asking.request.place);
}

Value has_function(const RubyAsking& asking) {
  return Value::boolean(
      asking.evaluator().find_function(Name(asking.text(0)), asking.request.place) != nullptr);
}

Value call_block(const RubyAsking& asking) {
  const Block* block = asking.session.block(asking.number(0));
  if (block == nullptr) fail("A lambda cannot be called after the call that it was given to");
  return block->call(asking.arguments.subspan(1));
}

Value call_method(const RubyAsking& asking) {
  const Value object = asking.session.handles().find(asking.number(0));
  if (!object.is_object() || object.as_object().native == nullptr) {
    fail("An object cannot be used after the compilation that it was given in");
  }
  Call call{asking.evaluator(), asking.scope, asking.arguments.subspan(2), asking.block,
            asking.request.place};
  return object.as_object().native->call_method(asking.text(1), call);
}

// --- files --------------------------------------------------------------------------------------

Value find_file(const RubyAsking& asking) {
  ModuleHost* modules = asking.evaluator().host().modules;
  if (modules == nullptr) return Value();
  return some_text(asking, modules->find_file(asking.text(0), asking.text(1)));
}

Value module_directory(const RubyAsking& asking) {
  ModuleHost* modules = asking.evaluator().host().modules;
  if (modules == nullptr) return Value();
  return some_text(asking, modules->module_directory(asking.text(0)));
}

// --- types --------------------------------------------------------------------------------------

const Type* type_argument(const RubyAsking& asking, size_t at) {
  const Value value = asking.argument(at);
  if (value.is_type()) return value.as_type();
  if (!value.is_string()) fail("Expected a type");
  return parse_type(asking.arena(), value.as_string(), asking.evaluator().host().types);
}

Value parse_type_text(const RubyAsking& asking) {
  return Value::type(type_argument(asking, 0));
}

Value infer_type(const RubyAsking& asking) {
  return Value::type(infer(asking.arena(), asking.argument(0)));
}

Value infer_type_set(const RubyAsking& asking) {
  return Value::type(infer_detailed(asking.arena(), asking.argument(0)));
}

Value generalize_type(const RubyAsking& asking) {
  return Value::type(generalize(asking.arena(), type_argument(asking, 0)));
}

Value is_instance_of(const RubyAsking& asking) {
  return Value::boolean(is_instance(type_argument(asking, 0), asking.argument(1)));
}

Value is_assignable_to(const RubyAsking& asking) {
  return Value::boolean(is_assignable(type_argument(asking, 0), type_argument(asking, 1)));
}

Value explain_mismatch(const RubyAsking& asking) {
  const Type* expected = type_argument(asking, 1);
  return Value::string(asking.arena(),
                       describe_mismatch(asking.text(0), expected, asking.argument(2)));
}

// --- others -------------------------------------------------------------------------------------

Value text_of_value(const RubyAsking& asking) {
  return Value::string(asking.arena(), interpolated(asking.argument(0)));
}

Value write_log(const RubyAsking& asking) {
  LogSink* log = asking.evaluator().host().log;
  LogRecord record;
  record.level = parse_log_level(asking.text(0)).value_or(LogLevel::kInfo);
  if (log == nullptr || !log->takes(record.level)) return Value();
  record.message = asking.text(1);
  record.source = asking.text(2);
  log->log(record);
  return Value();
}

Value setting_values(const RubyAsking& asking) {
  static const Name kSettings("settings");
  HashBuilder values(asking.arena());
  CatalogHost* catalog = asking.evaluator().host().catalog;
  Scope* scope = catalog != nullptr ? catalog->class_scope(kSettings) : nullptr;
  if (scope != nullptr) {
    for (const VariableTable::Binding& binding : scope->variables().bindings()) {
      values.set(binding.name.text(), binding.value);
    }
  }
  if (catalog != nullptr) values.set("environment", Value::string(catalog->environment_name()));
  return values.finish();
}

constexpr RubyQuestion kQuestions[] = {
    {"variable.find", true, find_variable},
    {"variable.find_all", true, find_variables},
    {"variable.match", true, match_variable},
    {"variable.all", true, all_variables},
    {"variable.set", false, set_variable},
    {"function.call", false, call_function},
    {"function.exists", true, has_function},
    {"block.call", false, call_block},
    {"object.call", false, call_method},
    {"file.find", true, find_file},
    {"module.directory", true, module_directory},
    {"type.parse", true, parse_type_text},
    {"type.infer", true, infer_type},
    {"type.infer_set", true, infer_type_set},
    {"type.generalize", true, generalize_type},
    {"type.is_instance", true, is_instance_of},
    {"type.is_assignable", true, is_assignable_to},
    {"type.explain_mismatch", true, explain_mismatch},
    {"value.text", true, text_of_value},
    {"log", false, write_log},
    {"settings", true, setting_values},
};

}  // namespace

const RubyQuestion* find_ruby_question(std::string_view name) {
  const auto* found = std::find_if(std::begin(kQuestions), std::end(kQuestions),
                                   [name](const RubyQuestion& one) { return one.name == name; });
  return found == std::end(kQuestions) ? nullptr : found;
}

}  // namespace bunraku
