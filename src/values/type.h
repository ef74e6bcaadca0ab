// Types of the language. A Type is immutable and lives in an arena: that of the process for
// built-in types, that of the compilation for types made by code. Types are compared by
// same_type(), not by their pointers.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "base/memory/name.h"
#include "values/value.h"

namespace bunraku {

class Program;
struct Expression;

enum class TypeKind : uint8_t {
  kAny,
  kUnit,
  kUndef,
  kDefault,
  kScalar,
  kScalarData,
  kNumeric,
  kInteger,
  kFloat,
  kBoolean,
  kString,
  kEnum,
  kPattern,
  kRegexp,
  kCollection,
  kArray,
  kHash,
  kTuple,
  kStruct,
  kVariant,
  kOptional,
  kNotUndef,
  kIterable,
  kIterator,
  kCallable,
  kType,
  kInit,
  kSensitive,
  kBinary,
  kSemVer,
  kSemVerRange,
  kTimespan,
  kTimestamp,
  kUri,
  kCatalogEntry,
  kClass,
  kResource,
  kRuntime,
  kObject,
  kTypeSet,
  kTypeAlias,
  kTypeReference,
};

// The name of the kind, such as "Integer" or "URI", which is that of its type without parameters.
std::string_view name_of(TypeKind kind);

struct Type {
  TypeKind kind;

  template <typename T>
  const T& as() const {
    assert(T::kKind == kind);
    return static_cast<const T&>(*this);
  }
  template <typename T>
  const T* try_as() const {
    return T::kKind == kind ? static_cast<const T*>(this) : nullptr;
  }
};

template <TypeKind Kind>
struct TypeOf : Type {
  static constexpr TypeKind kKind = Kind;
};

constexpr int64_t kMinInteger = std::numeric_limits<int64_t>::min();
constexpr int64_t kMaxInteger = std::numeric_limits<int64_t>::max();

// A closed range. The least `from` of a size range is 0; the maximum of `to` means unbounded
// ("default").
struct IntegerRange {
  int64_t from = kMinInteger;
  int64_t to = kMaxInteger;
};
constexpr IntegerRange kAnySize{0, kMaxInteger};
// The full range of sizes when it was given explicitly: the reference prints and compares Array[T,
// 0] as another type than Array[T]. size_from() returns the true bound.
constexpr IntegerRange kGivenAnySize{-1, kMaxInteger};
constexpr int64_t size_from(IntegerRange size) {
  return size.from < 0 ? 0 : size.from;
}
constexpr bool is_size_given(IntegerRange size) {
  return size.from != kAnySize.from || size.to != kAnySize.to;
}

struct IntegerType : TypeOf<TypeKind::kInteger> {
  IntegerRange range;
};
struct FloatType : TypeOf<TypeKind::kFloat> {
  double from;  // -infinity and infinity when unbounded
  double to;
};
struct BooleanType : TypeOf<TypeKind::kBoolean> {
  int8_t value;  // -1 either, 0 false, 1 true
};
struct StringType : TypeOf<TypeKind::kString> {
  IntegerRange size;
  const std::string_view* value;  // the single string of an inferred type; else null
};
struct EnumType : TypeOf<TypeKind::kEnum> {
  std::span<const std::string_view> values;  // sorted, unique; empty: any
  bool case_insensitive;
};
struct PatternType : TypeOf<TypeKind::kPattern> {
  std::span<const std::string_view> patterns;  // sources of regular expressions
};
struct RegexpType : TypeOf<TypeKind::kRegexp> {
  const std::string_view* pattern;  // null: any
};
struct CollectionType : TypeOf<TypeKind::kCollection> {
  IntegerRange size;
};
struct ArrayType : TypeOf<TypeKind::kArray> {
  const Type* element;  // never null
  IntegerRange size;
};
struct HashType : TypeOf<TypeKind::kHash> {
  const Type* key;
  const Type* value;
  IntegerRange size;
};
struct TupleType : TypeOf<TypeKind::kTuple> {
  std::span<const Type* const> types;
  IntegerRange size;  // for the whole; the last type repeats
  bool size_given;
};
struct StructElement {
  const Type* key;  // a String with a value, possibly in Optional or NotUndef
  std::string_view name;
  const Type* value;
};
struct StructType : TypeOf<TypeKind::kStruct> {
  std::span<const StructElement> elements;
};
struct VariantType : TypeOf<TypeKind::kVariant> {
  std::span<const Type* const> types;
};

// Types with one contained type, which is null when none was given.
template <TypeKind Kind>
struct ContainingType : TypeOf<Kind> {
  const Type* contained;
};
struct OptionalType : ContainingType<TypeKind::kOptional> {};
struct NotUndefType : ContainingType<TypeKind::kNotUndef> {};
struct IterableType : ContainingType<TypeKind::kIterable> {};
struct IteratorType : ContainingType<TypeKind::kIterator> {};
struct TypeType : ContainingType<TypeKind::kType> {};
struct SensitiveType : ContainingType<TypeKind::kSensitive> {};

struct CallableType : TypeOf<TypeKind::kCallable> {
  const TupleType* parameters;  // null: any
  const Type* block;            // a Callable, possibly in Optional; null: no block allowed
  const Type* return_type;      // null: Any
};
struct InitType : TypeOf<TypeKind::kInit> {
  const Type* contained;  // null: none was given
  std::span<const Value> arguments;
};
struct SemVerType : TypeOf<TypeKind::kSemVer> {
  std::span<const SemVerRange* const> ranges;
};
struct TimespanType : TypeOf<TypeKind::kTimespan> {
  IntegerRange range;  // nanoseconds
};
struct TimestampType : TypeOf<TypeKind::kTimestamp> {
  IntegerRange range;
};
struct UriType : TypeOf<TypeKind::kUri> {
  Value parameters;  // undef, or a hash of the required parts
};
struct ClassType : TypeOf<TypeKind::kClass> {
  Name class_name;  // down-cased without ::; no name: any class
};
struct ResourceType : TypeOf<TypeKind::kResource> {
  Name type_name;                 // as shown: File, Apache::Vhost; no name: any
  Name key;                       // down-cased
  const std::string_view* title;  // null: any
  // The value of a parameter (see given_reference()): no longer a type, but the referred resource.
  bool is_given = false;
};
struct RuntimeType : TypeOf<TypeKind::kRuntime> {
  std::string_view runtime;  // empty when not given
  std::string_view name;
  // for the mapping form [regex, text]; `name` is the regex then
  std::string_view name_replacement;
  bool is_mapping;
};

// The source that a type is still to be resolved from; `expression` is null afterwards.
struct Declaration {
  const Program* program = nullptr;
  const Expression* expression = nullptr;
};

enum class AttributeKind : uint8_t { kNormal, kConstant, kDerived, kGivenOrDerived, kReference };

struct ObjectMember {
  std::string_view name;
  const Type* type;   // the type of an attribute's value; for a function a Callable
  const Type* owner;  // the Object type that declares it
  AttributeKind kind;
  bool is_function;
  bool is_override;
  bool is_final;
  bool has_value;
  Value value;  // default or constant
  Value annotations;
};
struct ObjectType : TypeOf<TypeKind::kObject> {
  std::string_view name;                  // empty: anonymous
  const Type* parent;                     // an Object or an alias of one; null: none
  std::span<const ObjectMember> members;  // its own, in order
  std::span<const ObjectMember> type_parameters;
  std::span<const std::string_view> equality;
  bool equality_given;
  bool equality_include_type;
  Value checks;
  Value annotations;
  std::span<const std::string_view> serialization;
  // For a parameterised use such as MyObject[p => 1]: the values, `default` when not given; `base`
  // is the unparameterised type.
  const ObjectType* base;
  std::span<const Value> parameter_values;
  Declaration declaration = {};
  bool is_recursive = false;  // contains itself through its members
};
struct TypeSetType : TypeOf<TypeKind::kTypeSet> {
  Value init_hash;
  std::string_view name;
  std::span<const HashEntry> types;       // simple name => type
  std::span<const HashEntry> references;  // name => type set
  Declaration declaration = {};
};

// A named type. `resolved` is set on first use, after which the type does not change; recursive
// aliases contain themselves.
struct TypeAliasType : TypeOf<TypeKind::kTypeAlias> {
  std::string_view name;
  mutable const Type* resolved;
  const Expression* expression;  // the unresolved source; null for built-in ones
  bool is_recursive;
  // Whether the whole type is resolved, without recursion. It contains nothing declared later.
  bool is_closed = false;
  const Program* program = nullptr;  // of the expression
};
// An unresolved reference, by its text.
struct TypeReferenceType : TypeOf<TypeKind::kTypeReference> {
  std::string_view text;
};

// --- sameness -----------------------------------------------------------------------------------

// Resolves aliases.
const Type* resolve_alias(const Type* type);
bool same_type(const Type* a, const Type* b);

// --- attributes of objects ----------------------------------------------------------------------

// The attributes that instances store or derive, the parents' first; in the arena.
std::span<const ObjectMember* const> attributes_of(Arena& arena, const ObjectType& type);
// Finds an attribute or function by name, also inherited ones; null when there is none.
const ObjectMember* find_member(const ObjectType& type, std::string_view name);

}  // namespace bunraku
