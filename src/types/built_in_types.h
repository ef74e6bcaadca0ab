// The built-in types, and functions that make types with parameters.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/type.h"

namespace bunraku {

namespace types {
// Types without parameters; they live as long as the process.
extern const Type* const kAny;
extern const Type* const kUnit;
extern const Type* const kUndef;
extern const Type* const kDefault;
extern const Type* const kScalar;
extern const Type* const kScalarData;
extern const Type* const kNumeric;
extern const Type* const kInteger;
extern const Type* const kFloat;
extern const Type* const kBoolean;
extern const Type* const kString;
extern const Type* const kNonEmptyString;
extern const Type* const kEnum;
extern const Type* const kPattern;
extern const Type* const kRegexp;
extern const Type* const kCollection;
extern const Type* const kArray;
extern const Type* const kHash;
extern const Type* const kTuple;
extern const Type* const kStruct;
extern const Type* const kVariant;
extern const Type* const kOptional;
extern const Type* const kNotUndef;
extern const Type* const kIterable;
extern const Type* const kIterator;
extern const Type* const kCallable;
extern const Type* const kType;
extern const Type* const kInit;
extern const Type* const kSensitive;
extern const Type* const kBinary;
extern const Type* const kSemVer;
extern const Type* const kSemVerRange;
extern const Type* const kTimespan;
extern const Type* const kTimestamp;
extern const Type* const kUri;
extern const Type* const kCatalogEntry;
extern const Type* const kClass;
extern const Type* const kResource;
extern const Type* const kRuntime;
extern const Type* const kObject;
extern const Type* const kTypeSet;
extern const Type* const kData;
extern const Type* const kRichData;
extern const Type* const kRichDataKey;
extern const Type* const kLookupKey;
extern const Type* const kLookupValue;
extern const Type* const kLookupContext;
extern const Type* const kDeferred;
extern const Type* const kError;

// Finds a type by its down-cased name ("integer", "data", also "file" and the other built-in
// resource types); null when there is none.
const Type* find_builtin(std::string_view lower_case_name);
// The names of all built-in types, as in the language.
std::vector<std::string> builtin_names();

// These make parameterised types in `arena`.
const Type* integer(Arena& arena, int64_t from, int64_t to);
const Type* string_value(Arena& arena, std::string_view value);
const Type* string_size(Arena& arena, IntegerRange size);
const Type* collection(Arena& arena, IntegerRange size);
const Type* array(Arena& arena, const Type* element, IntegerRange size = kAnySize);
const Type* hash(Arena& arena, const Type* key, const Type* value, IntegerRange size = kAnySize);
const Type* tuple(Arena& arena, std::span<const Type* const> types);
// Flattens, removes duplicates, and returns the single type when only one is left.
const Type* variant(Arena& arena, std::span<const Type* const> types);
const Type* optional(Arena& arena, const Type* contained);
const Type* not_undef(Arena& arena, const Type* contained);
const Type* type_of_type(Arena& arena, const Type* contained);
const Type* resource(Arena& arena, std::string_view type_name);
const Type* resource(Arena& arena, std::string_view type_name, std::string_view title);
const Type* class_type(Arena& arena, std::string_view class_name);
// A reference to a resource or class (is_catalog_reference()) in the form that resources and
// functions of the older interface get. The reference uses another kind of object for it: its text
// is File[/a] without quotes, a class's title is capitalized, and it equals no type.
const Type* given_reference(Arena& arena, const Type* reference);
const Type* floating(Arena& arena, double from, double to);
// `size` null: exactly the number of types.
const Type* tuple(Arena& arena, std::span<const Type* const> types, const IntegerRange* size);
// Sorts the values and removes duplicates.
const Type* enumeration(Arena& arena, std::span<const std::string_view> values,
                        bool case_insensitive);
const Type* pattern(Arena& arena, std::span<const std::string_view> patterns);
const Type* regexp(Arena& arena, std::string_view pattern);
const Type* iterable(Arena& arena, const Type* contained);
const Type* iterator(Arena& arena, const Type* contained);
const Type* sensitive(Arena& arena, const Type* contained);
const Type* timespan(Arena& arena, IntegerRange nanoseconds);
const Type* timestamp(Arena& arena, IntegerRange nanoseconds);
// A null tuple accepts any arguments; block and return type may be null.
const CallableType* callable(Arena& arena, const TupleType* parameters, const Type* block,
                             const Type* return_type);
// A Callable with `from` to `to` parameters: the last type repeats (kMaxInteger: without limit).
const CallableType* callable(Arena& arena, std::span<const Type* const> parameters, int64_t from,
                             int64_t to, const Type* block, const Type* return_type);
const Type* structure(Arena& arena, std::span<const StructElement> elements);
// Makes an element with a String[name] key, in Optional when `optional`.
StructElement struct_element(Arena& arena, std::string_view name, bool optional, const Type* value);
// Merges overlapping ranges.
const Type* sem_ver(Arena& arena, std::span<const SemVerRange* const> ranges);
const Type* reference(Arena& arena, std::string_view text);
}  // namespace types

}  // namespace bunraku
