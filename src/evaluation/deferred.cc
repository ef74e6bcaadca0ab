#include "evaluation/deferred.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/log.h"
#include "base/text/ruby_text.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "values/object.h"
#include "values/type.h"

namespace bunraku {

namespace {

bool takes(const Signature& signature, Value arguments) {
  const CallableType& type = *signature.type;
  if (type.block != nullptr && !is_assignable(type.block, types::kUndef)) return false;
  return type.parameters == nullptr || is_instance(type.parameters, arguments);
}

}  // namespace

const Type* DeferredFunctions::return_type(const ObjectInstance& call) {
  const Value* name = find_attribute(call, "name");
  if (name == nullptr || !name->is_string()) return nullptr;
  const std::string_view text = name->as_string();
  const Function* function = evaluator_.find_function(Name(text), place_);
  if (function == nullptr) return nullptr;

  const Value* given = find_attribute(call, "arguments");
  const bool has_arguments = given != nullptr && given->is_array();
  const Value arguments = has_arguments ? *given : Value::array({});
  const auto signatures = function->signatures();
  const auto found =
      std::ranges::find_if(signatures, [&](const Signature& one) { return takes(one, arguments); });
  if (found == signatures.end()) {
    std::string shown;
    if (has_arguments) append_ruby_inspect(shown, arguments);
    throw EvaluationError(make_diagnostic(
        Issue::kCallMismatch, {},
        {fmt::format("No matching arity found for {} with arguments {}", text, shown)}));
  }
  const Type* type = found->type->return_type;
  if (type != nullptr && type->kind != TypeKind::kAny) return type;
  warn_of_unknown_type(text);
  return nullptr;
}

void DeferredFunctions::warn_of_unknown_type(std::string_view function) const {
  LogSink* const log = evaluator_.host().log;
  if (log == nullptr || !evaluator_.settings().warns_of_deprecations) return;
  if (!evaluator_.is_first_warning(fmt::format("{}_deferred_warning", function))) return;
  if (!log->takes(LogLevel::kWarning)) return;
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = fmt::format(
      "Deferred function {} has no return_type, unable to guarantee value type during "
      "compilation.\n   (file & line not available)",
      function);
  log->log(record);
}

}  // namespace bunraku
