// Functions that return an iterator, or walk one with a lambda.
#include "functions/core/families.h"
#include "functions/core/iteration_support.h"
#include "types/built_in_types.h"
#include "types/relations.h"
#include "types/type_text.h"

namespace bunraku {

namespace {

// Calls the lambda as Ruby's loops do: with the items of an array or the pairs of a hash as
// arguments, if it may take more than one.
Value yield_spread(const Call& call, Value element) {
  if (element.is_array()) return call.block->call(element.as_array());
  if (!element.is_hash()) return yield(call, element);
  ArrayBuilder pairs(call.arena(), element.as_hash().size);
  for (const HashEntry& entry : element.as_hash()) {
    pairs.push(pair(call.arena(), entry.key, entry.value));
  }
  return call.block->call(pairs.finish().as_array());
}

bool takes_exactly_one(const Block& block) {
  const TupleType* parameters = block.signature().type->parameters;
  return parameters != nullptr && parameters->size.from == 1 && block.parameter_count() == 1;
}

Value walk_iterator(Call& call, IteratorObject& iterator, Value result) {
  Arena& arena = call.arena();
  Loop loop(true);
  const bool spreads = !takes_exactly_one(*call.block);
  for (Value element; iterator.next(arena, element);) {
    if (!loop.goes_on(spreads ? yield_spread(call, element) : yield(call, element))) break;
  }
  return loop.is_leaving() ? loop.leaving() : result;
}

IteratorObject* iterator_of(Call& call, std::string_view function) {
  IteratorObject* iterator = make_iterator(call.arena(), call.arguments[0]);
  if (iterator == nullptr) fail_not_iterable(call, function, call.arguments[0]);
  return iterator;
}

Value step(Call& call) {
  IteratorObject* iterator =
      make_step_iterator(call.arena(), iterator_of(call, "step"), call.arguments[1].as_integer());
  return call.block == nullptr ? Value::iterator(iterator) : walk_iterator(call, *iterator, {});
}

Value reverse_each(Call& call) {
  IteratorObject* iterator = make_reverse_iterator(call.arena(), iterator_of(call, "reverse_each"));
  return call.block == nullptr ? Value::iterator(iterator) : walk_iterator(call, *iterator, {});
}

bool option(const HashObject& options, std::string_view name, bool unless_given) {
  const Value* value = options.find(name);
  return value == nullptr || value->is_undef() ? unless_given : value->is_truthy();
}

TreeOptions tree_options(Call& call, const HashObject& given) {
  TreeOptions options;
  if (const Value* type = given.find("container_type"); type != nullptr && type->is_type()) {
    options.container_type = type->as_type();
    if (!is_assignable(types::kArray, options.container_type) &&
        !is_assignable(types::kHash, options.container_type) &&
        !is_assignable(types::kObject, options.container_type)) {
      const Type* parts[] = {types::kArray, types::kHash, types::kObject};
      if (!is_assignable(types::variant(call.arena(), parts), options.container_type)) {
        call.fail(Issue::kWrongArgumentValue,
                  {"Only Array, Hash, and Object types can be used as container types. Got " +
                   to_text(options.container_type)});
      }
    }
  }
  options.include_root = option(given, "include_root", true);
  options.include_containers = option(given, "include_containers", true);
  options.include_values = option(given, "include_values", true);
  options.include_references = option(given, "include_refs", false);
  if (!options.include_containers && !options.include_values) {
    call.fail(Issue::kWrongArgumentValue,
              {"Options 'include_containers' and 'include_values' cannot both be false"});
  }
  const Value* order = given.find("order");
  options.breadth_first =
      order != nullptr && order->is_string() && order->as_string() != "depth_first";
  return options;
}

Value tree_each(Call& call) {
  Arena& arena = call.arena();
  const Value root = call.arguments[0];
  TreeOptions options;
  if (call.arguments.size() > 1) options = tree_options(call, call.arguments[1].as_hash());
  IteratorObject* iterator = make_tree_iterator(arena, root, options);
  if (call.block == nullptr) return Value::iterator(iterator);

  const bool takes_path = call.block->parameter_count() >= 2;
  Loop loop(true);
  for (Value element; iterator->next(arena, element);) {
    const std::span<const Value> path_and_value = element.as_array();
    const Value result = takes_path ? yield(call, path_and_value[0], path_and_value[1])
                                    : yield(call, path_and_value[1]);
    if (!loop.goes_on(result)) break;
  }
  return loop.is_leaving() ? loop.leaving() : root;
}

constexpr Overload kStep[] = {
    {"(Iterable $iterable, Integer[1] $step)", step},
    {"(Iterable $iterable, Integer[1] $step, Callable[1, 1] &$block)", step}};
constexpr Overload kReverseEach[] = {
    {"(Iterable $iterable)", reverse_each},
    {"(Iterable $iterable, Callable[1, 1] &$block)", reverse_each}};
constexpr Overload kTreeEach[] = {
    {"(Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = default, "
     "Callable[2, 2] &$block)",
     tree_each},
    {"(Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = default, "
     "Callable[1, 1] &$block)",
     tree_each},
    {"(Variant[Iterator, Array, Hash, Object] $tree, OptionsType $options = default)", tree_each}};

constexpr NativeFunctionInfo kLazyIterationFunctions[] = {
    {"step", kStep,
     "Takes every nth element, from the first on: an iterator over them, or with a lambda a call "
     "for each. The iterator is lazy and can be handed to other iterating functions.",
     "Integer[0, 10].step(5).map |$number| { $number }"},
    {"reverse_each", kReverseEach,
     "Walks from the last element to the first: an iterator, or with a lambda a call for each "
     "element. The iterator is lazy and can be handed to other iterating functions.",
     "[1, 2, 3].reverse_each.map |$number| { $number * 10 }"},
    {"tree_each", kTreeEach,
     "Walks a nested structure with all that is in it: an iterator over pairs of path and value, "
     "or with a lambda a call with the value, or with path and value. Options are "
     "`container_type`, `include_root`, `include_containers`, `include_values`, `include_refs` and "
     "`order` (`depth_first` or `breadth_first`).",
     "[1, [2, 3]].tree_each({ 'include_containers' => false }).map |$entry| { $entry[1] }", false,
     "OptionsType = Struct[{container_type => Optional[Type], include_root => Optional[Boolean], "
     "include_containers => Optional[Boolean], include_values => Optional[Boolean], order => "
     "Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]"},
};

}  // namespace

std::span<const NativeFunctionInfo> lazy_iteration_functions() {
  return kLazyIterationFunctions;
}

}  // namespace bunraku
