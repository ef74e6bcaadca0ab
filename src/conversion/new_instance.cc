// Type.new(arguments...).
#include <fmt/format.h>

#include <stdexcept>

#include "conversion/conversion.h"
#include "conversion/new_function.h"
#include "types/relations.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/conversion_error.h"
#include "values/object.h"

namespace bunraku {

namespace {

NewImplementation implementation_of(NewForm form) {
  static constexpr NewImplementation (*kFamilies[])(NewForm form) = {
      number_implementation, text_implementation, container_implementation, time_implementation,
      version_implementation};
  for (const auto family : kFamilies) {
    if (const NewImplementation implementation = family(form)) return implementation;
  }
  throw std::logic_error("a form of `new` has no code");
}

Value create(Arena& arena, const Type* type, std::span<const Value> arguments,
             TypeResolver* resolver) {
  const Type* target = creatable_type(type);
  if (const auto* init = target->try_as<InitType>()) {
    return new_by_init(arena, *init, arguments, resolver);
  }
  if (const ObjectType* object = object_type_of(target))
    return new_object(arena, *object, arguments);
  const NewSignatures* signatures = find_new_signatures(target);
  if (!signatures) fail_not_creatable(target);
  return call_new(arena, *signatures, target, arguments, resolver);
}

}  // namespace

bool accepts(const Signature& signature, std::span<const Value> arguments) {
  if (arguments.size() > signature.parameters.size()) return false;
  for (size_t i = 0; i < signature.parameters.size(); i++) {
    const SignatureParameter& parameter = signature.parameters[i];
    if (i >= arguments.size()) {
      if (!parameter.has_default) return false;
    } else if (!is_instance(parameter.type, arguments[i])) {
      return false;
    }
  }
  return true;
}

Value call_new(Arena& arena, const NewSignatures& signatures, const Type* type,
               std::span<const Value> arguments, TypeResolver* resolver) {
  const std::string_view name = signatures.family().name;
  for (size_t i = 0; i < signatures.all().size(); i++) {
    if (!accepts(signatures.all()[i], arguments)) continue;
    return implementation_of(signatures.forms()[i])({arena, name, type, arguments, resolver});
  }
  fail_conversion(
      Issue::kCallMismatch,
      {describe_call_mismatch(fmt::format("'{}'", name), signatures.listed(), arguments, nullptr)});
}

void fail_not_creatable(const Type* type) {
  fail_conversion(Issue::kNotCreatable, {to_display_text(type)});
}

void fail_not_convertible(const NewCall& call, std::string_view target) {
  const Value from = call.argument(0);
  if (from.is_string()) {
    fail_conversion(Issue::kNotConvertible,
                    {fmt::format("'{}' The string '{}' cannot be converted to {}", call.function,
                                 from.as_string(), target)});
  }
  fail_conversion(Issue::kNotConvertible,
                  {fmt::format("'{}' Value of type {} cannot be converted to {}", call.function,
                               type_text_of(call.arena, from), target)});
}

std::string type_text_of(Arena& arena, Value value) {
  // The type of an object is shown by its definition.
  const ObjectType* type = value.is_object() ? object_type_of(value.as_object().type) : nullptr;
  if (type != nullptr) return to_display_text(type);
  return to_text(generalize(arena, infer(arena, value)));
}

Value new_instance(Arena& arena, const Type* type, std::span<const Value> arguments,
                   TypeResolver* resolver) {
  const bool is_init =
      resolve_alias(type)->kind == TypeKind::kInit && type->kind == TypeKind::kInit;
  if (arguments.size() == 1 && !is_init && is_instance(type, arguments[0])) return arguments[0];
  Value result = create(arena, type, arguments, resolver);
  if (!is_instance(type, result)) {
    assert_instance_of(fmt::format("Converted value from {}.new()", to_display_text(type)), type,
                       result);
  }
  return result;
}

}  // namespace bunraku
