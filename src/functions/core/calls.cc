// Functions that call lambdas and other functions, or leave them.
#include "base/memory/data_names.h"
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "values/bounds.h"

namespace bunraku {

namespace {

Value with(Call& call) {
  return call.block->call(call.arguments);
}

Value then(Call& call) {
  return call.arguments[0].is_undef() ? Value() : yield(call, call.arguments[0]);
}

Value lest(Call& call) {
  return call.arguments[0].is_undef() ? call.block->call({}) : call.arguments[0];
}

Value next(Call& call) {
  return call.evaluator.leave(Control::kNext, call.argument(0), call.place);
}
Value break_out(Call& call) {
  return call.evaluator.leave(Control::kBreak, Value(), call.place);
}
Value return_from(Call& call) {
  return call.evaluator.leave(Control::kReturn, call.argument(0), call.place);
}

void check_is_known(Call& call, Name function) {
  if (call.evaluator.find_function(function, call.place) != nullptr) return;
  call.fail(Issue::kUnknownFunctionCalled, {std::string(function.text())});
}

Value call_by_name(Call& call) {
  const Name name(call.arguments[0].as_string());
  check_is_known(call, name);
  return call.evaluator.call_function(name, call.arguments.subspan(1), call.block, call.scope,
                                      call.place);
}

// --- Deferred -----------------------------------------------------------------------------------

Value attribute_of(Arena& arena, Value object, std::string_view name) {
  const ObjectInstance& instance = object.as_object();
  auto* type = resolve_alias(instance.type)->try_as<ObjectType>();
  if (type == nullptr) return Value();
  auto attributes = attributes_of(arena, *type);
  for (size_t i = 0; i < attributes.size() && i < instance.attributes.size(); ++i) {
    if (attributes[i]->name == name) return instance.attributes[i];
  }
  return Value();
}

// Replaces each Deferred in a value by the value that it evaluates to in the top scope.
class DeferredResolver {
 public:
  explicit DeferredResolver(Call& call) : call_(call), arena_(call.arena()) {}

  Value resolve(Value value) {
    const NestingGuard guard(nesting_, "A value");
    switch (value.kind()) {
      case ValueKind::kArray: {
        ArrayBuilder items(arena_, value.as_array().size());
        for (const Value item : value.as_array()) items.push(resolve(item));
        return items.finish();
      }
      case ValueKind::kHash: {
        HashBuilder entries(arena_, value.as_hash().size);
        for (const HashEntry& entry : value.as_hash()) entries.set(entry.key, resolve(entry.value));
        return entries.finish();
      }
      case ValueKind::kSensitive:
        return Value::sensitive(arena_, resolve(value.as_sensitive()));
      case ValueKind::kObject:
        return is_instance(types::kDeferred, value) ? resolve_deferred(value) : value;
      default:
        return value;
    }
  }

 private:
  Value resolve_deferred(Value deferred) {
    std::string_view name = attribute_of(arena_, deferred, "name").as_string();
    ArrayBuilder arguments(arena_);
    if (name.starts_with('$')) {
      name.remove_prefix(1);
      const Value* variable = call_.evaluator.find_variable(data_name(name), top());
      if (variable == nullptr && call_.evaluator.settings().strict_variables) {
        call_.fail(Issue::kUndefinedVariable, {std::string(name), ""});
      }
      arguments.push(variable == nullptr ? Value() : *variable);
      name = "dig";
    }
    const Value given = attribute_of(arena_, deferred, "arguments");
    if (given.is_array()) {
      for (const Value argument : given.as_array()) arguments.push(resolve(argument));
    }
    check_is_known(call_, Name(name));
    return call_.evaluator.call_function(Name(name), arguments.finish().as_array(), nullptr, top(),
                                         call_.place);
  }
  Scope& top() { return call_.evaluator.top_scope(); }

  Call& call_;
  Arena& arena_;
  Nesting nesting_;
};

Value call_deferred(Call& call) {
  return DeferredResolver(call).resolve(call.arguments[0]);
}

constexpr Overload kWith[] = {{"(Any *$arg, Callable &$block)", with}};
constexpr Overload kThen[] = {{"(Any $arg, Callable[1, 1] &$block)", then}};
constexpr Overload kLest[] = {{"(Any $arg, Callable[0, 0] &$block)", lest}};
constexpr Overload kNext[] = {{"(Any $value = default)", next}};
constexpr Overload kBreak[] = {{"()", break_out}};
constexpr Overload kReturn[] = {{"(Any $value = default)", return_from}};
constexpr Overload kCall[] = {
    {"(String $function_name, Any *$arguments, Optional[Callable] &$block)", call_by_name},
    {"(Deferred $deferred)", call_deferred}};

constexpr NativeFunctionInfo kCallFunctions[] = {
    {"with", kWith,
     "Calls a lambda with the arguments and returns what it gives; what the lambda "
     "sets is its own.",
     "with(1, 2) |$a, $b| { $a + $b }"},
    {"then", kThen,
     "Calls a lambda with a value, unless it is undef; then the result is undef too.",
     "{ 'a' => 1 }['a'].then |$value| { $value + 1 }"},
    {"lest", kLest, "Calls a lambda when a value is undef, and gives the value itself otherwise.",
     "undef.lest || { 'a default' }"},
    {"next", kNext, "Ends one turn of a lambda; the value is what the lambda gives.",
     "[1, 2, 3].map |$number| { if $number == 2 { next('two') } $number }"},
    {"break", kBreak, "Ends an iteration: the function that calls the lambda stops there.",
     "[1, 2, 3].map |$number| { if $number == 3 { break() } $number }"},
    {"return", kReturn,
     "Ends the function, class or define around it, also from inside of a lambda.",
     "function first_large($numbers) { $numbers.each |$n| { if $n > 1 { return($n) } } }\n"
     "first_large([1, 2, 3])"},
    {"call", kCall, "Calls the function with the given name, or resolves a Deferred.",
     "call('join', ['a', 'b'], '-')"},
};

}  // namespace

std::span<const NativeFunctionInfo> call_functions() {
  return kCallFunctions;
}

}  // namespace bunraku
