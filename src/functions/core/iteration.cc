// Functions that call a lambda for each element.
#include <algorithm>
#include <optional>

#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "types/ruby_value_text.h"

namespace bunraku {

void fail_not_iterable(const Call& call, std::string_view function, Value value) {
  call.fail(Issue::kNotIterable, {std::string(function) + "(): wrong argument type (" +
                                  std::string(ruby_class_name(value)) + "; is not Iterable."});
}

namespace {

// Calls the lambda for each element: with the element, or, if it takes two arguments, with key and
// value of a hash, otherwise index and element. `visit(element, result)` returns false to stop.
template <typename Visit>
Value iterate(Call& call, std::string_view function, bool catches_break, Visit&& visit) {
  const Value source = call.arguments[0];
  Loop loop(catches_break);
  const bool takes_two = call.block->parameter_count() >= 2;
  if (takes_two && source.is_hash()) {
    for (const HashEntry& entry : source.as_hash()) {
      const Value result = yield(call, entry.key, entry.value);
      if (!loop.goes_on(result) || !visit(Value(), &entry, result)) break;
    }
  } else if (takes_two) {
    int64_t index = 0;
    walk(call, function, source, [&](Value element) {
      const Value result = yield(call, Value::integer(index++), element);
      return loop.goes_on(result) && visit(element, static_cast<const HashEntry*>(nullptr), result);
    });
  } else if (source.is_hash()) {
    for (const HashEntry& entry : source.as_hash()) {
      const Value result = yield(call, pair(call.arena(), entry.key, entry.value));
      if (!loop.goes_on(result) || !visit(Value(), &entry, result)) break;
    }
  } else {
    walk(call, function, source, [&](Value element) {
      const Value result = yield(call, element);
      return loop.goes_on(result) && visit(element, static_cast<const HashEntry*>(nullptr), result);
    });
  }
  return loop.leaving();
}

Value each(Call& call) {
  const Value leaving =
      iterate(call, "each", true, [](Value, const HashEntry*, Value) { return true; });
  return leaving.is_control() ? leaving : call.arguments[0];
}

size_t size_hint(Value source) {
  if (source.is_array()) return source.as_array().size();
  if (source.is_hash()) return source.as_hash().size;
  return 0;
}

Value map(Call& call) {
  ArrayBuilder results(call.arena(), size_hint(call.arguments[0]));
  const Value leaving = iterate(call, "map", true, [&](Value, const HashEntry*, Value result) {
    results.push(result);
    return true;
  });
  return leaving.is_control() ? leaving : results.finish();
}

Value filter(Call& call) {
  if (call.arguments[0].is_hash()) {
    HashBuilder kept(call.arena());
    const Value leaving =
        iterate(call, "filter", false, [&](Value, const HashEntry* entry, Value result) {
          // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a hash has entries.
          if (result.is_truthy()) kept.set(entry->key, entry->value);
          return true;
        });
    return leaving.is_control() ? leaving : kept.finish();
  }
  ArrayBuilder kept(call.arena());
  const Value leaving =
      iterate(call, "filter", true, [&](Value element, const HashEntry*, Value result) {
        if (result.is_truthy()) kept.push(element);
        return true;
      });
  return leaving.is_control() ? leaving : kept.finish();
}

Value any(Call& call) {
  bool found = false;
  const bool catches_break = loop_of_value_catches_break(call.arguments[0]);
  const Value leaving =
      iterate(call, "any", catches_break,
              [&](Value, const HashEntry*, Value result) { return !(found = result.is_truthy()); });
  return leaving.is_control() ? leaving : Value::boolean(found);
}

Value all(Call& call) {
  bool holds = true;
  const bool catches_break = loop_of_value_catches_break(call.arguments[0]);
  const Value leaving =
      iterate(call, "all", catches_break,
              [&](Value, const HashEntry*, Value result) { return holds = result.is_truthy(); });
  return leaving.is_control() ? leaving : Value::boolean(holds);
}

Value reduce(Call& call) {
  bool has_memo = call.arguments.size() > 1;
  Value memo = call.argument(1);
  Loop loop(true);
  walk(call, "reduce", call.arguments[0], [&](Value element) {
    if (!has_memo) {
      memo = element;
      has_memo = true;
      return true;
    }
    const Value result = yield(call, memo, element);
    if (!loop.goes_on(result)) return false;
    memo = result;
    return true;
  });
  return loop.is_leaving() ? loop.leaving() : memo;
}

// The number of arguments that the lambda gets: one array, or the elements of the slice. With a
// negative arity (optional parameters, or a rest) it is the size of the slice.
size_t serving_size(Call& call, size_t slice_size) {
  if (call.block == nullptr) return 1;
  const Signature& signature = call.block->signature();
  size_t required = 0;
  bool is_open = false;
  for (const SignatureParameter& parameter : signature.parameters) {
    if (parameter.has_default || parameter.captures_rest) {
      is_open = true;
    } else {
      ++required;
    }
  }
  const size_t serving = is_open ? slice_size : required;
  if (serving == 0) {
    call.fail(Issue::kWrongBlock,
              {"slice(): block must define at least one parameter. Block has 0."});
  }
  if (serving != 1 && serving != slice_size) {
    std::string names;
    for (const SignatureParameter& parameter : signature.parameters) {
      if (!names.empty()) names += ", ";
      names += parameter.name;
    }
    call.fail(
        Issue::kWrongBlock,
        {"slice(): block must define one parameter, or the same number of parameters as the given "
         "size of the slice (" +
         std::to_string(slice_size) + "). Block has " + std::to_string(serving) + "; " + names});
  }
  return serving;
}

constexpr size_t kMaxServing = 1'000'000;

// Ruby ends each slice at the size that an iterator reports, if that is less; a size of 0 is no
// limit.
size_t slice_end(Call& call, Value source, size_t slice_size) {
  if (!source.is_integer() && !source.is_type() && !source.is_iterator()) return slice_size;
  IteratorObject* iterator = make_iterator(call.arena(), source);
  if (iterator == nullptr || iterator->reported_size() < 0) return slice_size;
  return std::min(slice_size, static_cast<size_t>(iterator->reported_size()));
}

Value slice(Call& call) {
  Arena& arena = call.arena();
  const Value source = call.arguments[0];
  const size_t slice_size = static_cast<size_t>(call.arguments[1].as_integer());
  size_t serving = serving_size(call, slice_size);
  // A short last slice is padded for a lambda that takes the elements one by one.
  Value filler = source.is_hash() ? Value::array({}) : Value();

  if (serving > kMaxServing) {
    call.fail(Issue::kWrongBlock,
              {"slice(): cannot call a block with " + std::to_string(serving) + " arguments"});
  }

  ArrayBuilder slices(arena);
  std::optional<ArrayBuilder> current(std::in_place, arena);
  Loop loop(true);
  auto serve = [&] {
    if (call.block != nullptr && serving > 1) {
      while (current->size() < serving) current->push(filler);
    }
    const Value slice = current->finish();
    current.emplace(arena);
    if (call.block == nullptr) {
      slices.push(slice);
      return true;
    }
    return loop.goes_on(serving == 1 ? yield(call, slice) : call.block->call(slice.as_array()));
  };
  const size_t end = slice_end(call, source, slice_size);
  walk(call, "slice", source, [&](Value element) {
    current->push(element);
    return current->size() != end || serve();
  });
  if (current->size() > 0) serve();
  if (loop.is_leaving()) return loop.leaving();
  return call.block == nullptr ? slices.finish() : source;
}

#define EACH_WAY(function)                                              \
  {                                                                     \
    {"(Hash[Any, Any] $hash, Callable[2, 2] &$block)", function},       \
        {"(Hash[Any, Any] $hash, Callable[1, 1] &$block)", function},   \
        {"(Iterable $enumerable, Callable[2, 2] &$block)", function}, { \
      "(Iterable $enumerable, Callable[1, 1] &$block)", function        \
    }                                                                   \
  }

constexpr Overload kEach[] = EACH_WAY(each);
constexpr Overload kMap[] = EACH_WAY(map);
constexpr Overload kFilter[] = EACH_WAY(filter);
constexpr Overload kAny[] = EACH_WAY(any);
constexpr Overload kAll[] = EACH_WAY(all);
#undef EACH_WAY
constexpr Overload kReduce[] = {
    {"(Iterable $enumerable, Callable[2, 2] &$block)", reduce},
    {"(Iterable $enumerable, Any $memo, Callable[2, 2] &$block)", reduce}};
constexpr Overload kSlice[] = {
    {"(Hash[Any, Any] $hash, Integer[1] $slice_size, Optional[Callable] &$block)", slice},
    {"(Iterable $enumerable, Integer[1] $slice_size, Optional[Callable] &$block)", slice}};

constexpr NativeFunctionInfo kIterationFunctions[] = {
    {"each", kEach,
     "Calls a lambda for each element and returns what was iterated over. A lambda with two "
     "parameters gets index and element, or key and value of a hash; with one parameter it gets "
     "the element, or a hash's entry as an array of two. `next` ends one turn, `break` ends all.",
     "{ 'a' => 1, 'b' => 2 }.each |$key, $value| { notice(\"${key} is ${value}\") }"},
    {"map", kMap,
     "Makes an array of what a lambda gives for each element. The lambda gets the element, or "
     "index and element; of a hash the entry, or key and value.",
     "[1, 2, 3].map |$number| { $number * 10 }"},
    {"filter", kFilter,
     "Keeps the elements for which a lambda gives something true: an array of them, or, when a "
     "hash is filtered, a hash of its entries. Undef and false are not true.",
     "{ 'a' => 1, 'b' => 20 }.filter |$key, $value| { $value > 10 }"},
    {"any", kAny,
     "Is there an element for which a lambda gives something true? It looks no further than the "
     "first.",
     "[1, 20, 3].any |$number| { $number > 10 }"},
    {"all", kAll,
     "Does a lambda give something true for every element? It looks no further than the first that "
     "does not. Nothing at all counts as true.",
     "['a', 'bc'].all |$text| { $text =~ /^[a-z]+$/ }"},
    {"reduce", kReduce,
     "Folds all elements into one value: the lambda gets what it gave last and the next element. "
     "The start is the second argument, or without one the first element. The result is undef when "
     "there is no element and no start.",
     "[1, 2, 3].reduce(100) |$sum, $number| { $sum + $number }"},
    {"slice", kSlice,
     "Cuts a sequence into arrays of the given size, of which the last may be shorter. With a "
     "lambda it calls that for each slice, in one array or as one argument for each element, and "
     "returns what was sliced.",
     "[1, 2, 3, 4, 5].slice(2)"},
};

}  // namespace

std::span<const NativeFunctionInfo> iteration_functions() {
  return kIterationFunctions;
}

}  // namespace bunraku
