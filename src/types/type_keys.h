// Types from the values in brackets after a type's name: shared by evaluated code and type text.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "values/type.h"

namespace bunraku {

class TypeResolver;

// A range from two bounds; undef and default mean no bound. Throws when from is greater.
IntegerRange range_of(Value from, Value to);
// A range as a size; one without bounds is still marked as given.
IntegerRange as_given_size(IntegerRange range);
// Removes one or two integers (or default) from the end of `keys`.
std::optional<IntegerRange> take_size(std::vector<Value>& keys);
bool is_range_key(Value key);

const Type* boolean_type(Arena& arena, bool value);
const Type* float_range(Arena& arena, Value from, Value to);
// Throws for an invalid regular expression.
void check_pattern(std::string_view source);
// Keys are strings, regular expressions, Pattern and Regexp types. Throws for an invalid pattern.
const Type* pattern_type(Arena& arena, std::span<const Value> keys);
// Makes a Struct from {key => type}; keys are strings, or types that contain one.
const Type* struct_type(Arena& arena, const HashObject& hash);
// Keys are [types..., min, max, block] or [[types..., min, max, block], return type].
const Type* callable_type(Arena& arena, std::span<const Value> keys);
const Type* init_type(Arena& arena, const Type* contained, std::span<const Value> arguments);
const Type* sem_ver_type(Arena& arena, std::span<const Value> keys);
// Makes a Timespan or Timestamp.
const Type* time_type(Arena& arena, TypeKind kind, std::span<const Value> keys);
bool is_uri_parameter(Value key);
const Type* uri_type(Arena& arena, Value key);
const Type* runtime_type(Arena& arena, Value runtime, Value name);
const Type* object_type(Arena& arena, Value definition);
const Type* type_set_type(Arena& arena, Value definition, TypeResolver* resolver);

// (::)Xxx(::Xxx)*
bool is_class_reference(std::string_view name);

// The class of a value in the reference's messages: Integer, NilClass,
// Puppet::Pops::Types::PArrayType...
std::string value_class_name(Value value);
// The same, with types as "Array-Type".
std::string value_class_label(Value value);

}  // namespace bunraku
