// The requests that Ruby code can make to the compiler.

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "evaluation/object_code.h"
#include "ruby/worker/changes.h"
#include "ruby/worker/function.h"
#include "ruby/worker/session.h"
#include "ruby/worker/type_parts.h"
#include "serialization/serialization.h"
#include "types/interpolation.h"
#include "types/relations.h"
#include "values/changed_objects.h"
#include "values/object.h"

namespace bunraku {

Arena& RubyAsking::arena() const {
  return session.evaluator().arena();
}

namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRubyQuestionFailed, {}, {std::move(message)}));
}

Value some_text(const RubyAsking& asking, const std::optional<std::string>& text) {
  return text ? Value::string(asking.arena(), *text) : Value();
}

// --- variables ----------------------------------------------------------------------------------

// Returns [value], or undef when there is no such variable.
Value find_variable(const RubyAsking& asking) {
  const Value* found = asking.evaluator().find_variable(data_name(asking.text(0)), asking.scope);
  return found == nullptr ? Value() : Value::array(asking.arena(), {*found});
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

Value own_variables(const RubyAsking& asking) {
  HashBuilder own(asking.arena());
  asking.scope.add_own_to(own);
  return own.finish();
}

Value set_variable(const RubyAsking& asking) {
  const Name name = data_name(asking.text(0));
  if (is_reserved(name)) fail_reserved(name);
  if (is_match_variable(name.text())) {
    fail(fmt::format("Cannot assign to a numeric match result variable '${}'", name.text()));
  }
  if (asking.scope.is_bound(name)) {
    fail(fmt::format("Cannot reassign variable '${}'", name.text()));
  }
  asking.scope.set(name, asking.argument(1));
  return asking.argument(1);
}

// Replaces the value of a variable whose object Ruby code has changed after setting it. Returns the
// new value, as set_variable does.
Value replace_variable(const RubyAsking& asking) {
  asking.scope.replace(data_name(asking.text(0)), asking.argument(1));
  return asking.argument(1);
}

// Argument: the changed parts of the running request's arguments, as change_ruby_objects() reads
// them.
Value change_arguments(const RubyAsking& asking) {
  change_ruby_objects(asking.evaluator(), asking.scope, Value::array(asking.request.arguments),
                      asking.argument(0));
  return Value();
}

// --- calls --------------------------------------------------------------------------------------

Value call_by_name(const RubyAsking& asking, std::string_view name,
                   std::span<const Value> arguments, std::string_view caller) {
  return call_from_ruby(asking.evaluator(), asking.scope, name, arguments, asking.block,
                        asking.request.place, caller);
}

std::string_view function_name(std::string_view name) {
  return name.starts_with("::") ? name.substr(2) : name;
}

// Calls a function from a scope: the environment's functions are visible.
Value call_function(const RubyAsking& asking) {
  const std::string_view name = function_name(asking.text(0));
  if (asking.evaluator().find_function(Name(name), asking.request.place) == nullptr) {
    fail(fmt::format("Unknown function '{}'", name));
  }
  return call_by_name(asking, name, asking.arguments.subspan(1), std::string_view());
}

// Calls a function from another function. Arguments: the caller's name and file, the called name,
// and its arguments.
Value call_function_from(const RubyAsking& asking) {
  const std::string_view name = function_name(asking.text(2));
  if (asking.evaluator().find_function(Name(name), asking.request.place) == nullptr) {
    fail("Function " + std::string(asking.text(0)) + "(): Unknown function: '" + std::string(name) +
         "'");
  }
  return call_by_name(asking, name, asking.arguments.subspan(3), asking.text(1));
}

const Function& known_function(const RubyAsking& asking) {
  const Function* function =
      asking.evaluator().find_function(Name(asking.text(0)), asking.request.place);
  if (function == nullptr) fail(fmt::format("Unknown function '{}'", asking.text(0)));
  return *function;
}

Value select_dispatch(const RubyAsking& asking) {
  Call call{asking.evaluator(), asking.scope, asking.arguments.subspan(1), asking.block,
            asking.request.place};
  return Value::integer(static_cast<int64_t>(select_ruby_dispatch(known_function(asking), call)));
}

Value check_result(const RubyAsking& asking) {
  check_ruby_result(known_function(asking), static_cast<size_t>(asking.number(1)),
                    asking.argument(2));
  return Value();
}

Value has_function(const RubyAsking& asking) {
  return Value::boolean(
      asking.evaluator().find_function(Name(asking.text(0)), asking.request.place) != nullptr);
}

Value call_block(const RubyAsking& asking) {
  const Block* block = asking.session.block(asking.number(0));
  if (block == nullptr) fail("A block cannot be called after the call that it was given to");
  return block->call(asking.arguments.subspan(1));
}

const ObjectMember* member_of(const ObjectInstance& object, std::string_view name) {
  const ObjectType* type = object_type_of(object.type);
  return type != nullptr ? find_member(*type, name) : nullptr;
}

Value call_method(const RubyAsking& asking) {
  const Value value = asking.session.handles().find(asking.number(0));
  if (!value.is_object()) {
    fail("An object cannot be used after the compilation that it was given in");
  }
  const ObjectInstance& object = value.as_object();
  Call call{asking.evaluator(), asking.scope, asking.arguments.subspan(2), asking.block,
            asking.request.place};
  if (object.native != nullptr) return object.native->call_method(asking.text(1), call);
  const ObjectMember* member = member_of(object, asking.text(1));
  if (member == nullptr) {
    fail(fmt::format("undefined method `{}' for {}", asking.text(1), interpolated(value)));
  }
  return call_object_member(object, *member, call);
}

// Returns whether an object has a method of this name, in native code or in Ruby.
Value has_method(const RubyAsking& asking) {
  const Value value = asking.session.handles().find(asking.number(0));
  if (!value.is_object()) return Value::boolean(false);
  const ObjectInstance& object = value.as_object();
  const ObjectMember* member = member_of(object, asking.text(1));
  return Value::boolean(
      member != nullptr &&
      (object.native != nullptr ||
       is_ruby_member(asking.evaluator(), *object_type_of(object.type), *member)));
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

Value parts_of_type(const RubyAsking& asking) {
  return type_parts(asking.arena(), type_argument(asking, 0));
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

Value explain_types(const RubyAsking& asking) {
  return Value::string(asking.arena(), describe_mismatch(asking.text(0), type_argument(asking, 1),
                                                         type_argument(asking, 2)));
}

// --- the catalog --------------------------------------------------------------------------------

CatalogHost& catalog_of(const RubyAsking& asking) {
  CatalogHost* catalog = asking.evaluator().host().catalog;
  if (catalog == nullptr) fail("There is no catalog here");
  return *catalog;
}

Value find_resource(const RubyAsking& asking) {
  if (!asking.argument(0).is_type()) fail("Expected a reference to a resource");
  return catalog_of(asking).resource_data(asking.argument(0).as_type());
}

Value all_resources(const RubyAsking& asking) {
  return catalog_of(asking).all_resource_data();
}

Value node_name(const RubyAsking& asking) {
  return Value::string(catalog_of(asking).node_name());
}

Value class_names(const RubyAsking& asking) {
  return catalog_of(asking).class_names();
}

Value resource_defaults(const RubyAsking& asking) {
  return catalog_of(asking).defaults_data(asking.scope, Name(downcase(asking.text(0))));
}

Value catalog_tags(const RubyAsking& asking) {
  return catalog_of(asking).catalog_tags();
}

// There is no catalog when a type is read outside of a compilation.
Value type_data(const RubyAsking& asking) {
  CatalogHost* catalog = asking.evaluator().host().catalog;
  return catalog == nullptr ? Value() : catalog->type_data(Name(asking.text(0)));
}

Value scope_resource(const RubyAsking& asking) {
  return catalog_of(asking).scope_resource_data(asking.scope);
}

Value global_scope(const RubyAsking& asking) {
  return Value::integer(asking.session.lend(asking.scope.global()));
}

// The number of a scope for the worker; undef for none.
Value lent(const RubyAsking& asking, Scope* scope) {
  return scope == nullptr ? Value() : Value::integer(asking.session.lend(*scope));
}

Value scope_parent(const RubyAsking& asking) {
  return lent(asking, asking.scope.parent());
}

Value scope_inherited(const RubyAsking& asking) {
  return lent(asking, asking.scope.inherited());
}

Value class_scope(const RubyAsking& asking) {
  return lent(asking, catalog_of(asking).class_scope(data_name(asking.text(0))));
}

Value is_class(const RubyAsking& asking) {
  return Value::boolean(catalog_of(asking).is_known_class(data_name(asking.text(0))));
}

Value is_type(const RubyAsking& asking) {
  return Value::boolean(
      catalog_of(asking).is_resource_type(Name(asking.text(0)), asking.request.place));
}

// Arguments: type, title, parameters, whether it is virtual, whether it is exported.
Value add_resource(const RubyAsking& asking) {
  const Value titles[] = {Value::string(asking.text(1))};
  std::vector<EvaluatedParameter> parameters;
  if (asking.argument(2).is_hash()) {
    for (const HashEntry& entry : asking.argument(2).as_hash()) {
      if (!entry.key.is_string()) continue;
      parameters.push_back({data_name(entry.key.as_string()), unshared(asking.arena(), entry.value),
                            false, asking.request.place});
    }
  }
  ResourceRequest request{};
  request.form = ResourceForm::kRegular;
  if (asking.number(3) == 1) request.form = ResourceForm::kVirtual;
  if (asking.number(4) == 1) request.form = ResourceForm::kExported;
  request.type_name = Name(downcase(asking.text(0)));
  request.titles = titles;
  request.parameters = parameters;
  request.place = asking.request.place;
  request.is_from_function = true;
  return catalog_of(asking).create_resources(asking.scope, request);
}

// Arguments: a resource, the name of a parameter, its value.
Value set_resource_parameter(const RubyAsking& asking) {
  const Value reference = asking.argument(0);
  if (reference.is_type()) {
    catalog_of(asking).set_resource_parameter(asking.scope, reference.as_type(),
                                              Name(asking.text(1)), asking.argument(2),
                                              asking.request.place);
  }
  return Value();
}

Value remove_resource(const RubyAsking& asking) {
  const Value reference = asking.argument(0);
  if (reference.is_type()) catalog_of(asking).remove_resource(reference.as_type());
  return Value();
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
  // Messages of the program itself have no source here.
  if (const std::string_view source = asking.text(2); source != "Puppet") record.source = source;
  log->log(record);
  return Value();
}

// [[file, line], ...] of the active calls in code of the language, the innermost first.
Value call_stack(const RubyAsking& asking) {
  ArrayBuilder frames(asking.arena());
  for (const CallFrame* frame = asking.evaluator().call_chain(); frame != nullptr;
       frame = frame->caller) {
    const Program* program = frame->place.program;
    const Expression* expression = frame->place.expression;
    if (frame->in_code() != frame) continue;
    const bool has_path = program != nullptr && !program->path().empty();
    const int64_t line =
        program != nullptr && expression != nullptr ? program->position(*expression).line : 0;
    frames.push(Value::array(asking.arena(),
                             {Value::string(asking.arena(), has_path ? program->path() : "unknown"),
                              Value::integer(line)}));
  }
  return frames.finish();
}

// JSON of a value: as rich data when argument 1 is true, otherwise reduced to plain data.
Value rich_data_of(const RubyAsking& asking) {
  std::string text;
  JsonWriter writer(text);
  write_rich_data(writer, asking.argument(0), asking.argument(1).is_truthy(), TypeForm::kText);
  return Value::string(asking.arena(), text);
}

Value takes_log(const RubyAsking& asking) {
  const LogSink* log = asking.evaluator().host().log;
  return Value::boolean(log != nullptr &&
                        log->takes(parse_log_level(asking.text(0)).value_or(LogLevel::kInfo)));
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
    {"variable.match", true, match_variable},
    {"variable.all", true, all_variables},
    {"variable.own", true, own_variables},
    {"variable.set", false, set_variable},
    {"variable.replace", false, replace_variable},
    {"arguments.change", false, change_arguments},
    {"function.call", false, call_function},
    {"function.call_from", false, call_function_from},
    {"function.select", true, select_dispatch},
    {"function.check_result", true, check_result},
    {"function.exists", true, has_function},
    {"stack", true, call_stack},
    {"block.call", false, call_block},
    {"object.call", false, call_method},
    {"object.has_method", true, has_method},
    {"file.find", true, find_file},
    {"module.directory", true, module_directory},
    {"type.parse", true, parse_type_text},
    {"type.infer", true, infer_type},
    {"type.infer_set", true, infer_type_set},
    {"type.generalize", true, generalize_type},
    {"type.parts", true, parts_of_type},
    {"type.is_instance", true, is_instance_of},
    {"type.is_assignable", true, is_assignable_to},
    {"type.explain_mismatch", true, explain_mismatch},
    {"type.explain_types", true, explain_types},
    {"catalog.resource", true, find_resource},
    {"catalog.resources", true, all_resources},
    {"catalog.defaults", true, resource_defaults},
    {"catalog.name", true, node_name},
    {"catalog.classes", true, class_names},
    {"catalog.tags", true, catalog_tags},
    {"catalog.type", true, type_data},
    {"catalog.scope_resource", true, scope_resource},
    {"catalog.class_scope", true, class_scope},
    {"catalog.is_class", true, is_class},
    {"catalog.is_type", true, is_type},
    {"catalog.add", false, add_resource},
    {"catalog.remove", false, remove_resource},
    {"catalog.set", false, set_resource_parameter},
    {"scope.inherited", true, scope_inherited},
    {"scope.parent", true, scope_parent},
    {"scope.global", true, global_scope},
    {"value.text", true, text_of_value},
    {"value.rich_data", true, rich_data_of},
    {"log", false, write_log},
    {"log.takes", true, takes_log},
    {"settings", true, setting_values},
};

}  // namespace

const RubyQuestion* find_ruby_question(std::string_view name) {
  const auto* found = std::ranges::find_if(
      kQuestions, [name](const RubyQuestion& one) { return one.name == name; });
  return found == std::end(kQuestions) ? nullptr : found;
}

}  // namespace bunraku
