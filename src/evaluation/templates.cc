// Templates (EPP).

#include <fmt/format.h>

#include "base/memory/data_names.h"
#include "base/system/profile.h"
#include "evaluation/closure.h"
#include "evaluation/deferred.h"
#include "evaluation/evaluation.h"
#include "evaluation/template_memory.h"
#include "types/interpolation.h"
#include "types/mismatch.h"
#include "types/ruby_value_text.h"

namespace bunraku {

std::shared_ptr<void>& template_memory(Evaluator& evaluator) {
  return Evaluation::caches_of(evaluator).template_memory;
}

Value Evaluator::render_template(const Program& program, std::string_view callee, Value arguments,
                                 bool global_scope_only, Scope& scope) {
  const ProfileSpan span(WorkKind::kTemplate,
                         program.path().empty() ? std::string_view("inline") : program.path());
  const auto* lambda = program.body->try_as<LambdaExpression>();
  const auto* epp = lambda && lambda->body ? lambda->body->try_as<EppExpression>() : nullptr;
  auto raise = [&](std::string message) {
    throw EvaluationError(make_diagnostic(Issue::kUnusableTemplate, {},
                                          {std::string(callee) + "(): " + std::move(message)}));
  };
  if (epp == nullptr) raise("the parser did not produce an EppExpression");
  if (!program.definitions.empty()) {
    raise("The EPP template contains illegal expressions (definitions)");
  }
  if (!arguments.is_undef() && !arguments.is_hash()) {
    raise("the template_args must be a Hash, got a " + std::string(ruby_class_name(arguments)));
  }
  const ProgramGuard guard(*this, &program);
  if (!global_scope_only) {
    return Evaluation(*this, scope).render_template(*lambda, *epp, arguments);
  }
  Scope& global = scope.global();
  const GlobalScope only_global(global);
  return Evaluation(*this, global).render_template(*lambda, *epp, arguments);
}

namespace {

const Value* argument_of(const HashObject* arguments, Name name) {
  return arguments ? arguments->find(name.text()) : nullptr;
}

}  // namespace

// Arguments are passed by name. A template that declares parameters accepts only those; one without
// sees all arguments.
Value Evaluation::render_template(const LambdaExpression& lambda, const EppExpression& epp,
                                  Value arguments) {
  const HashObject* given = arguments.is_hash() ? &arguments.as_hash() : nullptr;
  const bool enforce = epp.parameters_specified || given == nullptr;
  const ClosureInfo& closure = closure_info(evaluator_, evaluator_.program(), lambda, "lambda",
                                            lambda.parameters, lambda.body, lambda.return_type);
  HashBuilder unqualified(arena());
  if (given != nullptr) {
    for (const HashEntry& entry : *given) {
      if (!entry.key.is_string()) continue;
      std::string_view name = entry.key.as_string();
      if (name.find("::") == std::string_view::npos) {
        unqualified.set(entry.key, entry.value);
        continue;
      }
      // A qualified name stays set after the template.
      if (name.starts_with("::")) name.remove_prefix(2);
      const Name variable = data_name(name);
      if (!scope_.is_bound(variable)) scope_.set(variable, entry.value);
    }
  }
  const Value filtered = unqualified.finish();
  HashBuilder bound(arena());
  if (enforce) {
    ParameterScope parameters(scope_, "lambda", lambda.parameters);
    for (const HashEntry& entry : filtered.as_hash()) {
      if (!entry.value.is_undef()) parameters.set(data_name(entry.key.as_string()), entry.value);
    }
    for (const Parameter* parameter : lambda.parameters) {
      const Value* value = argument_of(&filtered.as_hash(), parameter->name);
      if (value != nullptr && !value->is_undef()) continue;
      if (parameter->value != nullptr) {
        Value standard = parameters.evaluate_default(evaluator_, *parameter);
        if (standard.is_control()) return standard;
        parameters.set(parameter->name, standard);
      } else if (value != nullptr) {
        parameters.set(parameter->name, Value::undef());
      }
    }
    for (const VariableTable::Binding& binding : parameters.bindings()) {
      bound.set(binding.name.text(), binding.value);
    }
  } else {
    bound.set_all(filtered.as_hash());
  }
  const Value variables = bound.finish();
  if (enforce) {
    const Signature& signature = signature_of(closure, Passing::kByName);
    DeferredFunctions deferred(evaluator_, place(lambda));
    std::string mistakes = describe_parameters_mismatch("lambda", signature.parameters,
                                                        variables.as_hash(), false, deferred);
    if (!mistakes.empty()) {
      throw EvaluationError(make_diagnostic(Issue::kCallMismatch, {}, {std::move(mistakes)}));
    }
  }
  LocalScope locals(scope_);
  for (const HashEntry& entry : variables.as_hash()) {
    const Name name = data_name(entry.key.as_string());
    if (is_reserved(name)) fail_reserved(name);
    if (is_match_variable(name.text())) {
      throw EvaluationError(
          make_diagnostic(Issue::kNumericVariable, {}, {std::string(name.text())}));
    }
    locals.set(name, entry.value);
  }
  return finish_call(closure, evaluate(epp));
}

Value Evaluation::evaluate_epp(const EppExpression& expression) {
  std::vector<Value> parts;
  std::vector<Value>*& current = caches().epp_parts;
  std::vector<Value>* outer = current;
  const struct Restore {
    std::vector<Value>*& current;
    std::vector<Value>* outer;
    ~Restore() { current = outer; }
  } restore{current, outer};
  current = &parts;
  // A template without text and code has no body.
  Value control = expression.body != nullptr ? evaluate(*expression.body) : Value();
  if (control.is_control()) return control;
  std::string text;
  bool is_sensitive = false;
  for (const Value part : parts) {
    if (part.is_sensitive()) {
      is_sensitive = true;
      append_interpolated(text, part.as_sensitive());
    } else {
      text += part.as_string();
    }
    check_length(text.size());
  }
  const Value result = Value::string(arena(), text);
  return is_sensitive ? Value::sensitive(arena(), result) : result;
}

Value Evaluation::evaluate_render(const RenderExpression& expression) {
  Value value = evaluate(*expression.expression);
  if (value.is_control()) return value;
  if (!value.is_string() && !value.is_sensitive()) {
    value = Value::string(arena(), interpolated(value));
  }
  // A lambda in the template may be called by an inner template; its text goes to the template
  // being rendered.
  check_size(caches().epp_parts->size());
  caches().epp_parts->push_back(value);
  return Value::undef();
}

}  // namespace bunraku
