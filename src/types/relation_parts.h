// Shared parts of the relations between types.
#pragma once

#include <string_view>

#include "values/type.h"

namespace bunraku {

// Returns the aliased type; fails when it has not been resolved.
const Type* resolved_type(const TypeAliasType& alias);

// Returns whether `inner` is within `outer`. Sizes are compared by their true bounds.
constexpr bool covers(IntegerRange outer, IntegerRange inner) {
  return outer.from <= inner.from && outer.to >= inner.to;
}
constexpr bool covers_size(IntegerRange outer, IntegerRange inner) {
  return size_from(outer) <= size_from(inner) && outer.to >= inner.to;
}
constexpr bool contains_size(IntegerRange range, size_t size) {
  return size_from(range) <= static_cast<int64_t>(size) && static_cast<int64_t>(size) <= range.to;
}

bool enum_contains(const EnumType& type, std::string_view text);
bool any_pattern_matches(const PatternType& type, std::string_view text);
// Returns whether the type is that of the empty hash, Hash[0, 0].
bool is_type_of_empty_hash(const HashType& type);
// Returns whether the type is a Callable or a Variant of Callables, possibly (when `optional`) in
// Optional.
bool is_kind_of_callable(const Type* type, bool optional = true);

// The element type of an iteration over a value of the type: null when it is not iterable or not
// known (`is_iterable` distinguishes them). Made in `arena`.
bool is_iterable(const Type* type);
const Type* iterated_type(Arena& arena, const Type* type);

// The parts of a URI as parameters of its type: a hash, or undef when there are none.
Value uri_parameters(Arena& arena, const Uri& uri);

// Init[T, args...]: returns whether T.new accepts a value of type `from`, or the value itself.
bool init_takes(const InitType& type, const Type* from);
bool init_takes(const InitType& type, Value value);

// Compares a parameterised Object type with the parameters of another, or of an instance.
bool parameters_match(const ObjectType& wanted, const ObjectType& given);
bool parameters_match(const ObjectType& wanted, const ObjectInstance& instance);

}  // namespace bunraku
