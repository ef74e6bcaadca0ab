// Types from the values that stand in brackets behind a type's name: what code that is evaluated
// and type text have in common.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

// from, to: undef and default are without bound. Throws when from is greater.
IntegerRange range_of(Value from, Value to);
// A range as the size of something: where it has no bounds it still was given.
IntegerRange as_given_size(IntegerRange range);
// Takes one or two integers (or default) off the end of `keys`.
std::optional<IntegerRange> take_size(std::vector<Value>& keys);
bool is_range_key(Value key);

const Type* boolean_type(Arena& arena, bool value);
const Type* float_range(Arena& arena, Value from, Value to);
// Throws for a regular expression that does not compile.
void check_pattern(std::string_view source);
// Strings, regular expressions, Pattern and Regexp types. Throws for a pattern that does not
// compile.
const Type* pattern_type(Arena& arena, std::span<const Value> keys);
// {key => type}; keys are strings, or types that hold one.
const Type* struct_type(Arena& arena, const HashObject& hash);
// [types..., min, max, block] or [[types..., min, max, block], return type].
const Type* callable_type(Arena& arena, std::span<const Value> keys);
const Type* init_type(Arena& arena, const Type* contained, std::span<const Value> arguments);
const Type* sem_ver_type(Arena& arena, std::span<const Value> keys);
// Timespan or Timestamp.
const Type* time_type(Arena& arena, TypeKind kind, std::span<const Value> keys);
bool is_uri_parameter(Value key);
const Type* uri_type(Arena& arena, Value key);
const Type* runtime_type(Arena& arena, Value runtime, Value name);
const Type* object_type(Arena& arena, Value definition);
const Type* type_set_type(Arena& arena, Value definition, TypeResolver* resolver);

// (::)Xxx(::Xxx)*
bool is_class_reference(std::string_view name);

// What messages of the reference call the class of a value: Integer, NilClass,
// Puppet::Pops::Types::PArrayType...
std::string value_class_name(Value value);
// The same with types as "Array-Type".
std::string value_class_label(Value value);

}  // namespace bunraku
