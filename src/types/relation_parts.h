// What the relations of types share.
#pragma once

#include <string_view>

#include "values/type.h"

namespace bunraku {

// What the alias stands for; an error when it has not been resolved.
const Type* resolved_type(const TypeAliasType& alias);

// `inner` within `outer`. Sizes are compared by their true bounds.
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
// The empty hash's type, Hash[0, 0].
bool is_type_of_empty_hash(const HashType& type);
// A Callable, or a Variant of such, perhaps (when `optional`) in Optional.
bool is_kind_of_callable(const Type* type, bool optional = true);

// What a value of the type gives when it is iterated over: null when it is not iterable or not
// known
// (`is_iterable` says which). In `arena`.
bool is_iterable(const Type* type);
const Type* iterated_type(Arena& arena, const Type* type);

// The parts of a URI as the parameters of its type: a hash, or undef when there are none.
Value uri_parameters(Arena& arena, const Uri& uri);

// Init[T, args...]: whether a value of type `from`, or the value itself, can be given to T.new.
bool init_takes(const InitType& type, const Type* from);
bool init_takes(const InitType& type, Value value);

// A parameterised Object type against the parameters of another, or an instance.
bool parameters_match(const ObjectType& wanted, const ObjectType& given);
bool parameters_match(const ObjectType& wanted, const ObjectInstance& instance);

}  // namespace bunraku
