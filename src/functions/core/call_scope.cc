#include "functions/core/call_scope.h"

#include <algorithm>

#include "base/memory/data_names.h"
#include "evaluation/evaluator.h"
#include "evaluation/object_holders.h"
#include "evaluation/template_memory.h"
#include "functions/core/families.h"
#include "functions/core/registry.h"
#include "functions/stdlib/json_text.h"
#include "serialization/serialization.h"
#include "types/ruby_value_text.h"

namespace bunraku {

namespace {

bool has_odd_character(std::string_view name) {
  return name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != name.npos;
}

// A variable's name as Ruby code writes it: with an underscore for each non-word character.
std::string ruby_name(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (has_odd_character(std::string_view(&c, 1))) c = '_';
  }
  return result;
}

// Functions of the reference's older interface. Those of the newer one have no scope.function_name,
// except some that exist in both.
bool is_older_function(std::string_view name) {
  constexpr std::string_view kBoth[] = {"alert", "contain",    "crit",   "debug",  "emerg",
                                        "err",   "include",    "info",   "notice", "require",
                                        "scanf", "versioncmp", "warning"};
  if (std::ranges::find(kBoth, name) != std::end(kBoth)) return true;
  if (const NativeFunctionInfo* info = find_builtin_function_info(name)) return info->is_legacy;
  const NativeFunctionInfo* info = find_stdlib_function_info(name);
  return info != nullptr && info->is_legacy;
}

}  // namespace

bool is_node_data(std::string_view name) {
  return name == "facts" || name == "trusted" || name == "server_facts";
}

const Value* CallScope::find_instance_variable(std::string_view name) {
  if (const Value* found = call_.scope.find(data_name(name))) {
    return found->is_undef() ? nullptr : found;
  }
  // Names of facts and of a classifier's variables may have characters that Ruby names have not.
  if (name.find('_') == name.npos) return nullptr;
  const Value* found = nullptr;
  for (const VariableTable::Binding& binding : call_.evaluator.top_scope().variables().bindings()) {
    const std::string_view text = binding.name.text();
    if (has_odd_character(text) && ruby_name(text) == name) found = &binding.value;
  }
  return found == nullptr || found->is_undef() ? nullptr : found;
}

void CallScope::change_objects(std::span<const ObjectChange> changes) {
  update_holders(call_.evaluator, call_.scope, changes);
}

Value CallScope::look_up(std::string_view name) {
  return call_.evaluator.look_up_variable(name, call_.scope);
}

bool CallScope::has_variable(std::string_view name) {
  const Value* found = call_.evaluator.find_variable(data_name(name), call_.scope);
  return found != nullptr && !found->is_undef();
}

std::optional<std::string> CallScope::yaml_of(Value value) {
  try {
    return stdlib::to_yaml_text(call_, value, {});
  } catch (const stdlib::NeedsRubysYaml&) {
    return std::nullopt;
  }
}
std::optional<std::string> CallScope::json_of(Value value) {
  if (!stdlib::is_plain_data(value)) return std::nullopt;
  return stdlib::to_json_text(call_, value, {});
}

std::optional<std::string> CallScope::pretty_json_of(Value value, std::string_view space_before) {
  if (!stdlib::is_plain_data(value)) return std::nullopt;
  const stdlib::JsonLayout layout = {.indent = "  ",
                                     .space = " ",
                                     .space_before = space_before,
                                     .object_line_end = "\n",
                                     .array_line_end = "\n"};
  return stdlib::to_json_text(call_, value, layout);
}

std::optional<Value> CallScope::parse_json(std::string_view text) {
  try {
    return read_json(call_.arena(), text, "the text");
  } catch (const std::exception&) {
    // Ruby's parser accepts these.
    for (const std::string_view odd : {"/", "NaN", "Infinity"}) {
      if (text.find(odd) != text.npos) throw erb::Obstacle{1, "such JSON"};
    }
    return std::nullopt;
  }
}

bool CallScope::has_older_function(std::string_view name) {
  return is_older_function(name);
}

Value CallScope::all_variables() {
  HashBuilder visible(call_.arena());
  call_.scope.add_visible_to(visible);
  const Value all = visible.finish();
  HashBuilder with_value(call_.arena());
  for (const HashEntry& entry : all.as_hash()) {
    if (!entry.value.is_undef()) with_value.set(entry.key, entry.value);
  }
  return with_value.finish();
}

bool CallScope::set_variable(std::string_view text, Value value) {
  const Name name = data_name(text);
  if (std::ranges::find(set_, text) != set_.end()) {
    call_.scope.replace(name, value);
    return true;
  }
  if (is_reserved(name) || is_match_variable(text) || call_.scope.is_bound(name)) return false;
  call_.scope.set(name, value);
  set_.emplace_back(text);
  return true;
}
erb::TemplateMemory& CallScope::memory() {
  std::shared_ptr<void>& kept = template_memory(call_.evaluator);
  if (kept == nullptr) kept = std::make_shared<erb::TemplateMemory>();
  return *static_cast<erb::TemplateMemory*>(kept.get());
}

Value CallScope::call_function(std::string_view name, std::span<const Value> arguments) {
  if (name.starts_with("::")) name.remove_prefix(2);
  const Name function(name);
  if (call_.evaluator.find_function(function, call_.place) == nullptr) {
    // Reported as an error of the template, without a place of its own.
    throw EvaluationError(make_diagnostic(Issue::kUnknownFunctionCalled, {}, {std::string(name)}));
  }
  results_.push_back(
      call_.evaluator.call_function(function, arguments, nullptr, call_.scope, Place()));
  return results_.back();
}

}  // namespace bunraku
