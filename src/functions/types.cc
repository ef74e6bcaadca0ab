// Functions on types, and those that make values of them.
#include "evaluation/evaluator.h"
#include "functions/families.h"
#include "functions/iteration_support.h"
#include "pcore/conversion.h"
#include "pcore/mismatch.h"
#include "pcore/type_text.h"

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
  call.fail(describe_mismatch("assert_type():", type, actual));
}

Value assert_type(Call& call) {
  return assert_type_of(call, call.arguments[0].as_type());
}

Value assert_type_text(Call& call) {
  const Type* type = nullptr;
  try {
    type = parse_type(call.arena(), call.arguments[0].as_string(), call.evaluator.host().types);
  } catch (const EvaluationError& error) {
    call.fail(error.what());
  }
  return assert_type_of(call, type);
}

// The value of `type` made from the arguments, or the first of them when it is one already.
Value make_instance(Call& call, const Type* type, std::span<const Value> arguments) {
  if (arguments.size() == 1 && type->kind != TypeKind::kInit && is_instance(type, arguments[0])) {
    return arguments[0];
  }
  Value made = new_instance(call.arena(), type, arguments, call.evaluator.host().types);
  if (!is_instance(type, made)) {
    std::string subject = "Converted value from " + to_text(type) + ".new() has wrong type,";
    call.fail(describe_mismatch(subject, type, infer_detailed(call.arena(), made)));
  }
  return made;
}

Value make_new(Call& call) {
  Value made = make_instance(call, call.arguments[0].as_type(), call.arguments.subspan(1));
  // What fits as it is never reaches the lambda.
  bool is_same = call.arguments.size() == 2 && made.kind() == call.arguments[1].kind() &&
                 call.arguments[0].as_type()->kind != TypeKind::kInit &&
                 is_instance(call.arguments[0].as_type(), call.arguments[1]);
  return call.block == nullptr || is_same ? made : yield(call, made);
}

Value convert_to(Call& call) {
  ArrayBuilder arguments(call.arena(), call.arguments.size());
  arguments.push(call.arguments[0]);
  arguments.push_all(call.arguments.subspan(2));
  Value made = make_instance(call, call.arguments[1].as_type(), arguments.finish().as_array());
  return call.block == nullptr ? made : yield(call, made);
}

Value unwrap(Call& call) {
  Value value = call.arguments[0];
  if (value.is_sensitive()) value = value.as_sensitive();
  return call.block == nullptr ? value : yield(call, value);
}

Value annotate(Call& call) {
  call.fail(
      make_diagnostic(Issue::kNotSupportedYet, call.place.range(), {"The function 'annotate'"}));
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
     annotate},
    {"(Type[Pcore] $type, Any $value, Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] "
     "$annotations)",
     annotate}};

constexpr NativeFunctionInfo kFunctions[] = {
    {"type", kType,
     "The type of a value: `detailed` (the default) tells of every element, `reduced` of all "
     "elements together, `generalized` leaves out sizes and single values.",
     "type([1, 'a'], 'generalized')"},
    {"assert_type", kAssertType,
     "Returns a value when it is of a type, and fails when it is not. A lambda gets the expected "
     "and "
     "the actual type instead, and gives the value to go on with.",
     "assert_type(Integer, 'x') |$expected, $actual| { \"${actual} is no ${expected}\" }"},
    {"new", kNew,
     "Makes a value of a type from the arguments: converts text to numbers, hashes to objects and "
     "so "
     "on. A value that is of the type already stays as it is. A lambda gets what was made.",
     "Integer.new('0xFF', 16)"},
    {"convert_to", kConvertTo,
     "Makes a value of the given type from a value; the same as `new`, with the value first. A "
     "lambda gets what was made.",
     "'42'.convert_to(Integer)"},
    {"unwrap", kUnwrap,
     "What a Sensitive hides, handed to a lambda when there is one. Any other value stays as it "
     "is.",
     "unwrap(Sensitive('secret'))"},
    {"annotate", kAnnotate, "Sets or reads the annotation of a value. It is not supported yet.",
     "type('a value')"},
};

}  // namespace

std::span<const NativeFunctionInfo> type_functions() {
  return kFunctions;
}

}  // namespace bunraku
