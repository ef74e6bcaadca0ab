// Functions on types, and functions that make values from types.
#include <utility>

#include "conversion/conversion.h"
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "types/mismatch.h"
#include "types/relations.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/object.h"

namespace bunraku {

namespace {

Value type_detailed(Call& call) {
  return Value::type(infer_detailed(call.arena(), call.arguments[0]));
}
Value type_reduced(Call& call) {
  return Value::type(infer(call.arena(), call.arguments[0]));
}
Value type_generalized(Call& call) {
  return Value::type(generalize(call.arena(), infer(call.arena(), call.arguments[0])));
}

Value assert_type_of(Call& call, const Type* type) {
  Value value = call.arguments[1];
  if (is_instance(type, value)) return value;
  const Type* actual = infer_detailed(call.arena(), value);
  if (call.block != nullptr) return yield(call, Value::type(type), Value::type(actual));
  call.fail(Issue::kAssertionFailed, {describe_mismatch("assert_type():", type, actual)});
}

Value assert_type(Call& call) {
  return assert_type_of(call, call.arguments[0].as_type());
}

Value assert_type_text(Call& call) {
  return assert_type_of(
      call, parse_type(call.arena(), call.arguments[0].as_string(), call.evaluator.host().types));
}

// Makes a value of `type` from the arguments; returns the first argument when it is one already.
Value make_instance(Call& call, const Type* type, std::span<const Value> arguments) {
  return new_instance(call.arena(), type, arguments, call.evaluator.host().types);
}

Value make_new(Call& call) {
  const Value made = make_instance(call, call.arguments[0].as_type(), call.arguments.subspan(1));
  // A value that fits unchanged is not passed to the lambda.
  const bool is_same = call.arguments.size() == 2 && made.kind() == call.arguments[1].kind() &&
                       call.arguments[0].as_type()->kind != TypeKind::kInit &&
                       is_instance(call.arguments[0].as_type(), call.arguments[1]);
  return call.block == nullptr || is_same ? made : yield(call, made);
}

Value convert_to(Call& call) {
  ArrayBuilder arguments(call.arena(), call.arguments.size());
  arguments.push(call.arguments[0]);
  arguments.push_all(call.arguments.subspan(2));
  const Value made =
      make_instance(call, call.arguments[1].as_type(), arguments.finish().as_array());
  return call.block == nullptr ? made : yield(call, made);
}

Value unwrap(Call& call) {
  Value value = call.arguments[0];
  if (value.is_sensitive()) value = value.as_sensitive();
  return call.block == nullptr ? value : yield(call, value);
}

// --- annotations ---

// The address that identifies a value. Ruby's small values cannot be annotated.
const void* holder_of(const Call& call, Value value) {
  switch (value.kind()) {
    case ValueKind::kArray:
      return value.as_array().data();
    case ValueKind::kHash:
      return &value.as_hash();
    case ValueKind::kObject:
      return &value.as_object();
    case ValueKind::kType:
      return value.as_type();
    case ValueKind::kRegexp:
      return value.as_regexp().data();
    case ValueKind::kUndef:
      call.fail(Issue::kFrozenValue, {"can't modify frozen NilClass: nil"});
    case ValueKind::kBoolean:
      call.fail(Issue::kFrozenValue,
                {value.as_boolean() ? "can't modify frozen TrueClass: true"
                                    : "can't modify frozen FalseClass: false"});
    default:
      call.fail(Issue::kFrozenValue, {"can't modify frozen " + std::string(ruby_class_name(value)) +
                                      ": " + ruby_inspect(value)});
  }
}

// The entry for this annotation type in the definition of an Object type; null: none.
const Value* declared_annotation(Value value, const ObjectType* annotation) {
  const auto* object = value.is_type() ? value.as_type()->try_as<ObjectType>() : nullptr;
  if (object == nullptr || !object->annotations.is_hash()) return nullptr;
  for (const HashEntry& entry : object->annotations.as_hash()) {
    if (entry.key.is_type() && object_type_of(entry.key.as_type()) == annotation) {
      return &entry.value;
    }
  }
  return nullptr;
}

Value set_annotation(Call& call, const ObjectType* type, Value value, Value hash) {
  const Value made = object_from_hash(call.arena(), *type, hash);
  return call.evaluator.annotation(holder_of(call, value), type) = made;
}

Value annotate(Call& call) {
  const ObjectType* type = object_type_of(call.arguments[0].as_type());
  const Value value = call.arguments[1];
  const Value* declared = declared_annotation(value, type);
  const bool is_kept = value.is_array() || value.is_hash() || value.is_object() ||
                       value.is_type() || value.is_regexp();
  if (is_kept) {
    const Value known = call.evaluator.annotation(holder_of(call, value), type);
    if (!known.is_undef()) return known;
  }
  if (declared != nullptr) return set_annotation(call, type, value, *declared);
  if (call.block == nullptr) return {};
  Value hash = call.block->call({});
  if (hash.is_control() || hash.is_undef()) return hash;
  return set_annotation(call, type, value, hash);
}

Value annotate_new(Call& call) {
  const ObjectType* type = object_type_of(call.arguments[0].as_type());
  const Value value = call.arguments[1];
  const bool clears = !call.arguments[2].is_hash();
  if (declared_annotation(value, type) != nullptr) {
    call.fail(Issue::kDataFunctionMisused,
              {std::string("attempt to ") + (clears ? "clear " : "redefine ") +
               std::string(type->name) + " annotation declared on " + to_text(value.as_type())});
  }
  if (!clears) return set_annotation(call, type, value, call.arguments[2]);
  const bool is_kept = value.is_array() || value.is_hash() || value.is_object() || value.is_type();
  return is_kept ? std::exchange(call.evaluator.annotation(holder_of(call, value), type), Value())
                 : Value();
}

Value annotate_several(Call& call) {
  for (const HashEntry& entry : call.arguments[2].as_hash()) {
    set_annotation(call, object_type_of(entry.key.as_type()), call.arguments[1], entry.value);
  }
  return call.arguments[1];
}

constexpr Overload kType[] = {
    {"(Any $value, Enum[detailed] $inference_method = default)", type_detailed},
    {"(Any $value, Enum[reduced] $inference_method)", type_reduced},
    {"(Any $value, Enum[generalized] $inference_method)", type_generalized}};
constexpr Overload kAssertType[] = {
    {"(Type $type, Any $value, Optional[Callable[Type, Type]] &$block)", assert_type},
    {"(String $type_string, Any $value, Optional[Callable[Type, Type]] &$block)",
     assert_type_text}};
constexpr Overload kNew[] = {{"(Type $type, Any *$args, Optional[Callable] &$block)", make_new}};
constexpr Overload kConvertTo[] = {
    {"(Any $value, Type $type, Any *$args, Optional[Callable[1, 1]] &$block)", convert_to}};
constexpr Overload kUnwrap[] = {{"(Sensitive $arg, Optional[Callable] &$block)", unwrap},
                                {"(Any $arg, Optional[Callable] &$block)", unwrap}};
constexpr Overload kAnnotate[] = {
    {"(Type[Annotation] $type, Any $value, Optional[Callable[0, 0]] &$block)", annotate},
    {"(Type[Annotation] $type, Any $value, Variant[Enum[clear], Hash[Pcore::MemberName, Any]] "
     "$annotation_hash)",
     annotate_new},
    {"(Type[Pcore] $type, Any $value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] "
     "$annotations)",
     annotate_several}};

constexpr NativeFunctionInfo kTypeFunctions[] = {
    {"type", kType,
     "The type of a value: `detailed` (the default) describes every element, `reduced` of all "
     "elements together, `generalized` leaves out sizes and single values.",
     "type([1, 'a'], 'generalized')"},
    {"assert_type", kAssertType,
     "Returns a value when it is of a type, and fails when it is not. A lambda gets the expected "
     "and the actual type instead, and gives the value to go on with.",
     "assert_type(Integer, 'x') |$expected, $actual| { \"${actual} is no ${expected}\" }"},
    {"new", kNew,
     "Makes a value of a type from the arguments: converts text to numbers, hashes to objects and "
     "so on. A value that is of the type already stays as it is. A lambda gets what was made.",
     "Integer.new('0xFF', 16)"},
    {"convert_to", kConvertTo,
     "Makes a value of the given type from a value; the same as `new`, with the value first. A "
     "lambda gets what was made.",
     "'42'.convert_to(Integer)"},
    {"unwrap", kUnwrap,
     "What a Sensitive hides, handed to a lambda when there is one. Any other value stays as it "
     "is.",
     "unwrap(Sensitive('secret'))"},
    {"annotate", kAnnotate,
     "The annotation of a type that a value has: an object of an Object type whose parent is "
     "Annotation. A hash makes a new one, 'clear' takes it away, and a lambda gives the hash for a "
     "value that has none.",
     "$note = Object[{name => 'Note', parent => Annotation, attributes => {text => String}}]\n"
     "$ports = [80, 443]\n"
     "annotate($note, $ports, {'text' => 'open to all'})\n"
     "annotate($note, $ports).text"},
};

}  // namespace

std::span<const NativeFunctionInfo> type_functions() {
  return kTypeFunctions;
}

}  // namespace bunraku
