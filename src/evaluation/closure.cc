#include "evaluation/closure.h"

#include "base/system/limits.h"
#include "evaluation/interrupt.h"
#include "types/built_in_types.h"
#include "types/mismatch.h"
#include "types/relations.h"

namespace bunraku {

const ClosureInfo& closure_info(Evaluator& evaluator, const Program* program,
                                const Expression& owner, std::string_view name,
                                ParameterList parameters, const Expression* body,
                                const Expression* return_type) {
  auto& known = Evaluation::caches_of(evaluator).closures;
  if (const ClosureInfo* const* found = known.find(&owner)) return **found;
  auto* info = evaluator.arena().make<ClosureInfo>();
  info->program = program;
  info->name = name;
  info->parameters = parameters;
  info->body = body == nullptr ? nullptr : &without_block(*body);
  info->return_type = return_type;
  info->maximum = parameters.size();
  if (return_type != nullptr) info->has_types = true;
  for (const Parameter* parameter : parameters) {
    if (parameter->value == nullptr && !parameter->captures_rest) ++info->required;
    if (parameter->captures_rest) info->maximum = SIZE_MAX;
    if (parameter->type != nullptr) info->has_types = true;
    if (parameter->type || parameter->value || parameter->captures_rest) info->is_plain = false;
    if (is_reserved(parameter->name) && !info->reserved) {
      info->reserved = parameter->name;
      info->is_plain = false;
    }
  }
  return *known.add(&owner, info);
}

// --- signatures ----------------------------------------------------------------------------------

namespace {

// Evaluates the types of a closure's parameters.
class SignatureMaker {
 public:
  SignatureMaker(Arena& arena, const ClosureInfo& closure) : arena_(arena), closure_(closure) {}

  // `type_of` returns the type of an expression; `refuse` is called for a required parameter after
  // an optional one, and throws where arguments are passed by position.
  template <typename TypeOf, typename Refuse>
  const Signature* make(TypeOf type_of, Refuse refuse) {
    const size_t count = closure_.parameters.size();
    auto* parameters = arena_.make_array<SignatureParameter>(count);
    auto* param_types = arena_.make_array<const Type*>(count);
    IntegerRange size{0, 0};
    bool is_optional = false;
    for (size_t i = 0; i < count; ++i) {
      const Parameter& parameter = *closure_.parameters[i];
      const Type* type = parameter.type ? type_of(*parameter.type) : types::kAny;
      IntegerRange range{1, 1};
      if (parameter.captures_rest) {
        range = {0, kMaxInteger};
        // An Array determines the count and the type.
        if (const auto* array = resolve_alias(type)->try_as<ArrayType>()) {
          range = array->size;
          type = array->element;
        }
      } else if (parameter.value != nullptr) {
        range.from = 0;
      }
      if (is_optional && range.from != 0) refuse(parameter);
      is_optional = is_optional || range.from == 0;
      size.from += range.from;
      size.to = range.to == kMaxInteger ? kMaxInteger : size.to + range.to;
      param_types[i] = type;
      new (&parameters[i])
          SignatureParameter{parameter.name.text(), type, range.from == 0, parameter.captures_rest};
    }
    auto* tuple = arena_.make<TupleType>();
    tuple->kind = TypeKind::kTuple;
    tuple->types = {param_types, count};
    tuple->size = size;
    tuple->size_given = true;
    auto* callable = arena_.make<CallableType>();
    callable->kind = TypeKind::kCallable;
    callable->parameters = tuple;
    callable->block = nullptr;
    callable->return_type = closure_.return_type ? type_of(*closure_.return_type) : nullptr;
    auto* signature = arena_.make<Signature>();
    signature->parameters = {parameters, count};
    signature->type = callable;
    return signature;
  }

 private:
  Arena& arena_;
  const ClosureInfo& closure_;
};

}  // namespace

const Signature& Evaluation::signature_of(const ClosureInfo& closure, Passing passing) {
  if (closure.signature != nullptr) return *closure.signature;
  const ProgramGuard guard(evaluator_, closure.program);
  bool is_constant_signature = true;
  auto type_of = [&](const Expression& expression) {
    is_constant_signature = is_constant_signature && is_constant(expression);
    return evaluate_type(expression);
  };
  auto refuse = [&](const Parameter& parameter) {
    if (passing == Passing::kByName) return;
    fail(Issue::kRequiredParameterAfterOptional, parameter, {std::string(parameter.name.text())});
  };
  const Signature* signature = SignatureMaker(arena(), closure).make(type_of, refuse);
  if (is_constant_signature) closure.signature = signature;
  return *signature;
}

// --- calling -------------------------------------------------------------------------------------

Value Evaluation::call_closure(const ClosureInfo& closure, std::span<const Value> arguments,
                               Arguments are) {
  if (is_interrupted.load(std::memory_order_relaxed)) [[unlikely]] {
    throw EvaluationError(make_diagnostic(Issue::kInterrupted, Range{}));
  }
  check_limits();
  const ProgramGuard guard(evaluator_, closure.program);
  if (!closure.is_plain) return bind_and_call(closure, arguments, are);
  const size_t count = closure.parameters.size();
  if (arguments.size() < count) {
    const Parameter& missing = *closure.parameters[arguments.size()];
    fail(Issue::kMissingRequiredParameter, missing, {std::string(missing.name.text())});
  }
  if (closure.body == nullptr) return finish_call(closure, Value());
  LocalScope locals(scope_);
  // Arguments beyond the parameters are ignored.
  for (size_t i = 0; i < count; ++i) locals.set(closure.parameters[i]->name, arguments[i]);
  const Value result = evaluate(*closure.body);
  if (closure.return_type == nullptr && !result.is_control()) return result;
  return finish_call(closure, result);
}

Value Evaluation::finish_call(const ClosureInfo& closure, Value result) {
  if (result.is_control()) {
    if (result.as_control() != Control::kNext) return result;
    result = evaluator_.control_value();
  }
  if (closure.return_type == nullptr) return result;
  const Type* type = signature_of(closure).type->return_type;
  if (is_instance(type, result)) return result;
  const std::string subject =
      "value returned from " + std::string(closure.name) + " has wrong type,";
  throw EvaluationError(
      make_diagnostic(Issue::kReturnMismatch, {}, {describe_mismatch(subject, type, result)}));
}

namespace {

std::string callee_of(const ClosureInfo& closure) {
  return closure.name == "lambda" ? "block" : "'" + std::string(closure.name) + "'";
}

bool fits(const Signature& signature, std::span<const Value> arguments) {
  const IntegerRange& size = signature.type->parameters->size;
  auto count = static_cast<int64_t>(arguments.size());
  if (count < size.from || count > size.to) return false;
  const std::span<const SignatureParameter> parameters = signature.parameters;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Type* type = parameters[std::min(i, parameters.size() - 1)].type;
    if (type->kind != TypeKind::kAny && !is_instance(type, arguments[i])) return false;
  }
  return true;
}

}  // namespace

void Evaluation::check_arguments(const ClosureInfo& closure, std::span<const Value> arguments) {
  if (!closure.has_types) return;
  const Signature& signature = signature_of(closure);
  if (fits(signature, arguments)) return;
  std::string message =
      describe_call_mismatch(callee_of(closure), {&signature, 1}, arguments, nullptr);
  throw EvaluationError(make_diagnostic(Issue::kCallMismatch, {}, {std::move(message)}));
}

// Returns the default of a parameter that was not given; may be a control value.
Value Evaluation::default_of(const Parameter& parameter, ParameterScope& parameters) {
  Value value = parameters.evaluate_default(evaluator_, parameter);
  if (!value.is_control() && parameter.captures_rest && !value.is_array()) {
    value = Value::array(arena(), {value});
  }
  return value;
}

// Adds defaults and the captured rest; returns a control value when a default leaves.
Value Evaluation::complete_arguments(const ClosureInfo& closure, std::span<const Value> arguments,
                                     ArgumentList& values) {
  ParameterScope parameters(scope_, closure.name, closure.parameters);
  for (size_t i = 0; i < closure.parameters.size(); ++i) {
    const Parameter& parameter = *closure.parameters[i];
    Value value;
    if (i >= arguments.size()) {
      if (parameter.value != nullptr) {
        value = default_of(parameter, parameters);
        if (value.is_control()) return value;
      } else if (parameter.captures_rest) {
        value = Value::array({});
      } else {
        fail(Issue::kMissingRequiredParameter, parameter, {std::string(parameter.name.text())});
      }
    } else if (parameter.captures_rest) {
      const std::span<const Value> rest = arguments.subspan(i);
      if (rest.size() == 1 && rest[0].is_undef() && parameter.value != nullptr) {
        value = default_of(parameter, parameters);
        if (value.is_control()) return value;
      } else {
        value = Value::array(arena().copy(rest));
      }
    } else {
      value = arguments[i];
    }
    parameters.set(parameter.name, value);
    values.push(value);
  }
  return Value();
}

Value Evaluation::bind_and_call(const ClosureInfo& closure, std::span<const Value> arguments,
                                Arguments are) {
  const size_t count = closure.parameters.size();
  const bool captures_rest = closure.maximum == SIZE_MAX;
  ArgumentList completed(arena());
  std::span<const Value> values;
  if (arguments.size() >= count && !captures_rest) {
    values = arguments.first(count);
  } else {
    const Value left = complete_arguments(closure, arguments, completed);
    if (left.is_control()) return left;
    values = completed.values();
  }
  if (closure.has_types && !captures_rest) {
    // Defaults have not been checked.
    const bool is_all_given = arguments.size() >= count;
    if (are != Arguments::kFitting || !is_all_given) check_arguments(closure, values);
  } else if (closure.has_types) {
    ArgumentList all(arena());
    for (const Value value : values.first(count - 1)) all.push(value);
    for (const Value item : values.back().as_array()) all.push(item);
    check_arguments(closure, all.values());
  }
  if (closure.reserved) fail_reserved(closure.reserved);
  if (closure.body == nullptr) return finish_call(closure, Value());
  LocalScope locals(scope_);
  for (size_t i = 0; i < count; ++i) locals.set(closure.parameters[i]->name, values[i]);
  return finish_call(closure, evaluate(*closure.body));
}

// --- lambdas -------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kLambda = "lambda";

}  // namespace

LambdaBlock::LambdaBlock(Evaluator& evaluator, Scope& scope, const LambdaExpression& lambda)
    : evaluator_(evaluator),
      scope_(scope),
      closure_(closure_info(evaluator, evaluator.program(), lambda, kLambda, lambda.parameters,
                            lambda.body, lambda.return_type)) {}

const Signature& LambdaBlock::signature() const {
  if (signature_ == nullptr) signature_ = &Evaluation(evaluator_, scope_).signature_of(closure_);
  return *signature_;
}

Value LambdaBlock::call(std::span<const Value> arguments) const {
  return Evaluation(evaluator_, scope_).call_closure(closure_, arguments);
}

// --- functions written in the language -----------------------------------------------------------

namespace {

class LanguageFunction final : public Function {
 public:
  LanguageFunction(Evaluator& evaluator, ProgramPointer program,
                   const FunctionDefinition& definition)
      : evaluator_(evaluator), program_(std::move(program)), definition_(definition) {}

  Name name() const override { return definition_.name; }

  std::span<const Signature> signatures() const override {
    Scope& global = evaluator_.top_scope();
    const GlobalScope only_global(global);
    return {&Evaluation(evaluator_, global).signature_of(closure()), 1};
  }

  Value call(Call& call) const override {
    Scope& global = evaluator_.top_scope();
    const GlobalScope only_global(global);
    const ClosureInfo& info = closure();
    // Without types, defaults and a captured rest only the number of arguments is checked.
    const bool is_accepted = info.is_plain ? call.arguments.size() == info.parameters.size()
                                           : fits(signatures().front(), call.arguments);
    if (call.block != nullptr || !is_accepted) {
      const CallableType* block = call.block ? call.block->signature().type : nullptr;
      call.fail(Issue::kCallMismatch,
                {describe_call_mismatch(callee_of(info), signatures(), call.arguments, block)});
    }
    const Value result = Evaluation(evaluator_, global)
                             .call_closure(info, call.arguments, Evaluation::Arguments::kFitting);
    const bool is_return = result.is_control() && result.as_control() == Control::kReturn;
    return is_return ? evaluator_.control_value() : result;
  }

 private:
  const ClosureInfo& closure() const {
    if (closure_ == nullptr) {
      closure_ = &closure_info(evaluator_, program_.get(), definition_, definition_.name.text(),
                               definition_.parameters, definition_.body, definition_.return_type);
    }
    return *closure_;
  }

  Evaluator& evaluator_;
  ProgramPointer program_;
  const FunctionDefinition& definition_;
  mutable const ClosureInfo* closure_ = nullptr;
};

}  // namespace

std::unique_ptr<Function> make_language_function(Evaluator& evaluator, ProgramPointer program,
                                                 const FunctionDefinition& definition) {
  return std::make_unique<LanguageFunction>(evaluator, std::move(program), definition);
}

}  // namespace bunraku
