#include <fmt/format.h>

#include <limits>
#include <mutex>

#include "pcore/bounds.h"
#include "pcore/conversion.h"
#include "pcore/conversion_error.h"
#include "pcore/new_function.h"
#include "pcore/object.h"
#include "pcore/type_error.h"
#include "pcore/type_text.h"

namespace bunraku {

namespace {

// Knows the aliases of one function.
class LocalTypes : public TypeResolver {
 public:
  explicit LocalTypes(const std::vector<const TypeAliasType*>& types) : types_(types) {}
  const Type* find_type(std::string_view name) override {
    for (const TypeAliasType* type : types_) {
      if (type->name == name) return type;
    }
    return nullptr;
  }

 private:
  const std::vector<const TypeAliasType*>& types_;
};

const NewFunction* function_of(const Type* type) {
  switch (type->kind) {
    case TypeKind::kInteger:
      return &kNewInteger;
    case TypeKind::kFloat:
      return &kNewFloat;
    case TypeKind::kNumeric:
      return &kNewNumeric;
    case TypeKind::kBoolean:
      return &kNewBoolean;
    case TypeKind::kString:
      return &kNewString;
    case TypeKind::kRegexp:
      return &kNewRegexp;
    case TypeKind::kArray:
    case TypeKind::kTuple:
      return &kNewArray;
    case TypeKind::kHash:
    case TypeKind::kStruct:
      return &kNewHash;
    case TypeKind::kType:
      return &kNewType;
    case TypeKind::kUnit:
      return &kNewUnit;
    case TypeKind::kSensitive:
      return &kNewSensitive;
    case TypeKind::kBinary:
      return &kNewBinary;
    case TypeKind::kTimespan:
      return &kNewTimespan;
    case TypeKind::kTimestamp:
      return &kNewTimestamp;
    case TypeKind::kSemVer:
      return &kNewSemVer;
    case TypeKind::kSemVerRange:
      return &kNewSemVerRange;
    case TypeKind::kUri:
      return &kNewUri;
    default:
      return nullptr;
  }
}

const PreparedNewFunction* prepared(const NewFunction& function) {
  static std::mutex mutex;
  static std::vector<std::unique_ptr<PreparedNewFunction>> all;
  std::lock_guard lock(mutex);
  for (const auto& known : all) {
    if (&known->function() == &function) return known.get();
  }
  all.push_back(std::make_unique<PreparedNewFunction>(function));
  return all.back().get();
}

// Aliases, Optional and NotUndef make way for what they hold.
const Type* creatable_type(const Type* type) {
  for (uint32_t level = 0;; ++level) {
    if (level == kMaxNesting) fail_too_deep("a type");
    type = resolve_alias(type);
    const Type* contained = nullptr;
    if (const auto* optional = type->try_as<OptionalType>()) contained = optional->contained;
    if (const auto* not_undef = type->try_as<NotUndefType>()) {
      contained = not_undef->contained;
      if (!contained) return not_undef;
    }
    if (!contained) return type;
    type = contained;
  }
}

Value create(Arena& arena, const Type* type, std::span<const Value> arguments,
             TypeResolver* resolver) {
  const Type* target = creatable_type(type);
  if (const auto* init = target->try_as<InitType>()) {
    return new_by_init(arena, *init, arguments, resolver);
  }
  if (const ObjectType* object = object_type_of(target))
    return new_object(arena, *object, arguments);
  const PreparedNewFunction* function = find_new_function(target);
  if (!function) fail_not_creatable(target);
  return function->call(arena, target, arguments, resolver);
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

Signature make_signature(Arena& arena, std::span<const SignatureParameter> parameters) {
  std::vector<const Type*> types;
  int64_t required = 0;
  for (const SignatureParameter& parameter : parameters) {
    types.push_back(parameter.type);
    if (!parameter.has_default) required++;
  }
  auto* tuple = arena.make<TupleType>();
  tuple->kind = TypeKind::kTuple;
  tuple->types = arena.copy(std::span<const Type* const>(types));
  tuple->size = {required, static_cast<int64_t>(types.size())};
  tuple->size_given = true;
  auto* callable = arena.make<CallableType>();
  callable->kind = TypeKind::kCallable;
  callable->parameters = tuple;
  callable->block = nullptr;
  callable->return_type = nullptr;
  return {arena.copy(parameters), callable, {}};
}

PreparedNewFunction::PreparedNewFunction(const NewFunction& function) : function_(function) {
  LocalTypes locals(local_types_);
  std::string_view rest = function.local_types;
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    size_t equals = line.find(" = ");
    auto* alias = arena_.make<TypeAliasType>();
    alias->kind = TypeKind::kTypeAlias;
    alias->name = line.substr(0, equals);
    alias->resolved = parse_type(arena_, line.substr(equals + 3), &locals);
    alias->expression = nullptr;
    alias->is_recursive = false;
    local_types_.push_back(alias);
  }
  for (bool handlers : {false, true}) {
    for (const NewOverload& overload : function.overloads) {
      if (overload.is_mismatch_handler != handlers) continue;
      signatures_.push_back(prepare(overload));
      implementations_.push_back(overload.implementation);
      if (!handlers) listed_++;
    }
  }
}

Signature PreparedNewFunction::prepare(const NewOverload& overload) {
  LocalTypes locals(local_types_);
  std::vector<SignatureParameter> parameters;
  for (const NewParameter& parameter : overload.parameters) {
    parameters.push_back({parameter.name, parse_type(arena_, parameter.type, &locals),
                          parameter.is_optional, false});
  }
  return make_signature(arena_, parameters);
}

const Type* PreparedNewFunction::local_type(std::string_view name) const {
  for (const TypeAliasType* type : local_types_) {
    if (type->name == name) return type;
  }
  return nullptr;
}

Value PreparedNewFunction::call(Arena& arena, const Type* type, std::span<const Value> arguments,
                                TypeResolver* resolver) const {
  for (size_t i = 0; i < signatures_.size(); i++) {
    if (!accepts(signatures_[i], arguments)) continue;
    return implementations_[i]({arena, function_, type, arguments, resolver});
  }
  std::string callee = fmt::format("'{}'", function_.name);
  fail_conversion(Issue::kCallMismatch,
                  {describe_call_mismatch(callee, signatures(), arguments, nullptr)});
}

const PreparedNewFunction* find_new_function(const Type* type) {
  type = creatable_type(type);
  if (type->kind == TypeKind::kNotUndef) return prepared(kNewUnit);
  const NewFunction* function = function_of(type);
  return function ? prepared(*function) : nullptr;
}

void fail_not_creatable(const Type* type) {
  fail_conversion(Issue::kNotCreatable, {to_display_text(type)});
}

void fail_not_convertible(const NewCall& call, std::string_view target) {
  Value from = call.argument(0);
  if (from.is_string()) {
    fail_conversion(Issue::kNotConvertible,
                    {fmt::format("'{}' The string '{}' cannot be converted to {}",
                                 call.function.name, from.as_string(), target)});
  }
  fail_conversion(Issue::kNotConvertible,
                  {fmt::format("'{}' Value of type {} cannot be converted to {}",
                               call.function.name, type_text_of(call.arena, from), target)});
}

std::string type_text_of(Arena& arena, Value value) {
  // The type of an object is told by its definition.
  const ObjectType* type = value.is_object() ? object_type_of(value.as_object().type) : nullptr;
  if (type != nullptr) return to_display_text(type);
  return to_text(generalize(arena, infer(arena, value)));
}

Value new_instance(Arena& arena, const Type* type, std::span<const Value> arguments,
                   TypeResolver* resolver) {
  bool is_init = resolve_alias(type)->kind == TypeKind::kInit && type->kind == TypeKind::kInit;
  if (arguments.size() == 1 && !is_init && is_instance(type, arguments[0])) return arguments[0];
  Value result = create(arena, type, arguments, resolver);
  if (!is_instance(type, result)) {
    assert_instance_of(fmt::format("Converted value from {}.new()", to_display_text(type)), type,
                       result);
  }
  return result;
}

}  // namespace bunraku
