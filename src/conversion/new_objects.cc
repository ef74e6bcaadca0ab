#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conversion/conversion.h"
#include "conversion/new_function.h"
#include "conversion/object_construction.h"
#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/relations.h"
#include "types/type_error.h"
#include "types/type_text.h"
#include "values/conversion_error.h"
#include "values/object.h"

namespace bunraku {

namespace {

Value instance_from_hash(Arena& arena, const ObjectType& type, const HashObject& hash) {
  std::vector<Value> arguments;
  for (const ObjectMember* parameter : attributes_by_position(arena, type)) {
    const Value* given = hash.find(parameter->name);
    arguments.push_back(given ? *given : parameter->value);
  }
  return construct(arena, type, arguments);
}

// Checks that an instance of a parameterised type matches the type with the instance's own values.
Value with_type_parameters(Value instance) {
  const ObjectInstance& object = instance.as_object();
  const ObjectType& type = *object_type_of(object.type);
  for (const ObjectMember* parameter : type_parameters_of(type)) {
    const Value* value = find_attribute(object, parameter->name);
    if (value == nullptr) continue;
    const std::string subject = fmt::format(
        "type_parameter {}[{}]", object_type_of(parameter->owner)->name, parameter->name);
    assert_instance_of(subject, parameter->type, *value);
  }
  return instance;
}

}  // namespace

ObjectSignatures object_signatures(Arena& arena, const ObjectType& type) {
  ObjectSignatures result;
  result.name = "new_" + std::string(type.name);
  SignatureParameter hash{"hash", init_hash_type(arena, type), false, false};
  result.signatures.push_back(make_signature(arena, {&hash, 1}));
  std::vector<const ObjectMember*> parameters = constructor_parameters(arena, type);
  // As many arguments are required as keys of the hash, whatever the attributes' positions.
  auto is_needed = [](const ObjectMember* attribute) {
    return !attribute->has_value && !is_assignable(attribute->type, types::kUndef);
  };
  const size_t needed =
      static_cast<size_t>(std::count_if(parameters.begin(), parameters.end(), is_needed));
  std::vector<SignatureParameter> positions;
  for (const ObjectMember* attribute : parameters) {
    positions.push_back({attribute->name, attribute->type, positions.size() >= needed, false});
  }
  result.signatures.push_back(make_signature(arena, positions));
  return result;
}

Value new_object(Arena& arena, const ObjectType& type, std::span<const Value> arguments) {
  if (type.name.empty() && attributes_of(arena, type).empty() && !type.parent) {
    fail_not_creatable(&type);
  }
  ObjectSignatures known = object_signatures(arena, type);
  if (accepts(known.signatures[0], arguments)) {
    return with_type_parameters(instance_from_hash(arena, type, arguments[0].as_hash()));
  }
  if (accepts(known.signatures[1], arguments)) {
    return with_type_parameters(construct(arena, type, arguments));
  }
  fail_conversion(
      Issue::kCallMismatch,
      {describe_call_mismatch("'" + known.name + "'", known.signatures, arguments, nullptr)});
}

Value object_from_hash(Arena& arena, const ObjectType& type, Value hash) {
  assert_instance_of(std::string(type.name) + " initializer", init_hash_type(arena, type), hash);
  return instance_from_hash(arena, type, hash.as_hash());
}

// --- Init ---------------------------------------------------------------------------------------

namespace {

std::vector<Signature> signatures_of(Arena& arena, const Type* type) {
  if (const ObjectType* object = object_type_of(type)) {
    return object_signatures(arena, *object).signatures;
  }
  const NewSignatures* signatures = find_new_signatures(type);
  if (!signatures) fail_not_creatable(type);
  return {signatures->listed().begin(), signatures->listed().end()};
}

bool takes(const Signature& signature, size_t count) {
  size_t required = 0;
  for (const SignatureParameter& parameter : signature.parameters)
    required += !parameter.has_default;
  return count >= required && count <= signature.parameters.size();
}

// Returns whether a signature accepts the fixed arguments after some first one.
bool takes_fixed(std::span<const Signature> signatures, std::span<const Value> fixed) {
  for (const Signature& signature : signatures) {
    if (!takes(signature, fixed.size() + 1)) continue;
    bool fits = true;
    for (size_t i = 0; i < fixed.size() && fits; i++) {
      fits = is_instance(signature.parameters[i + 1].type, fixed[i]);
    }
    if (fits) return true;
  }
  return false;
}

// The types that a single argument of T.new may have.
std::vector<const Type*> single_parameters(const Type* type,
                                           std::span<const Signature> signatures) {
  std::vector<const Type*> result{type};
  for (const Signature& signature : signatures) {
    if (signature.parameters.size() == 1 && !signature.parameters[0].has_default) {
      result.push_back(signature.parameters[0].type);
    }
  }
  return result;
}

bool any_takes(std::span<const Type* const> types, Value value) {
  for (const Type* type : types) {
    if (is_instance(type, value)) return true;
  }
  return false;
}

}  // namespace

Value new_by_init(Arena& arena, const InitType& init, std::span<const Value> arguments,
                  TypeResolver* resolver) {
  if (!init.contained) fail_not_creatable(&init);
  const Type* target = init.contained;
  const TypeKind kind = target->kind;
  if (kind == TypeKind::kInit || kind == TypeKind::kOptional || kind == TypeKind::kNotUndef) {
    fail_not_creatable(target);
  }
  std::vector<Signature> signatures = signatures_of(arena, target);
  SignatureParameter any{"value", types::kAny, false, false};
  SignatureParameter array{"value", types::kArray, false, false};
  const Signature expected[] = {make_signature(arena, {&array, 1}),
                                make_signature(arena, {&any, 1})};
  const bool has_fixed = !init.arguments.empty();
  if (arguments.size() != 1) {
    std::span<const Signature> shown(expected);
    if (has_fixed) shown = shown.subspan(1);
    fail_conversion(Issue::kCallMismatch,
                    {describe_call_mismatch("'new_Init'", shown, arguments, nullptr)});
  }
  const Value value = arguments[0];
  if (has_fixed) {
    if (!takes_fixed(signatures, init.arguments)) {
      fail_conversion(
          Issue::kNotConvertible,
          {fmt::format("The type '{}' does not represent a valid set of parameters for {}.new()",
                       to_text(&init), to_text(generalize(arena, target)))});
    }
    std::vector<Value> all{value};
    all.insert(all.end(), init.arguments.begin(), init.arguments.end());
    return new_instance(arena, target, all, resolver);
  }
  if (!value.is_array()) return new_instance(arena, target, arguments, resolver);
  // An array is either the argument itself or the list of arguments.
  const bool is_argument = any_takes(single_parameters(target, signatures), value);
  return new_instance(arena, target, is_argument ? arguments : value.as_array(), resolver);
}

}  // namespace bunraku
