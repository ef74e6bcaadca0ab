// Conversion of types to text and back.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "values/type.h"

namespace bunraku {

// The canonical text: Array[Variant[Integer[1, 2], String]], with aliases by name.
std::string to_text(const Type* type);
// The text with aliases expanded, as in mismatch messages.
std::string to_expanded_text(const Type* type);

// The text of a type as a value in the language: aliases, Object types and type sets with their
// definition ("Port = Integer[1, 65535]"), all others as in to_text().
std::string to_display_text(const Type* type);
// The text of a type as a value in messages and rich data: its canonical text, but an Object type
// without a name by its definition, even an empty one.
std::string to_naming_text(const Type* type);
// Returns whether the type is a resource with a title, or a class with a name.
bool is_catalog_reference(const Type* type);
// Returns whether the type was made by types::given_reference().
bool is_given_reference(const Type* type);
// The text of such a reference in catalogs, without quotes: File[/x], Class[Apache::Vhost].
std::string catalog_reference_text(const Type* type);
// Appends a value as within the text of a type: 'a', [1, 2], {'a' => undef}, Name({...}).
void append_value_text(std::string& out, Value value);
// Converts apache::vhost to Apache::Vhost; a name that begins with a capital letter is unchanged.
std::string capitalized_segments(std::string_view name);
void append_capitalized_segments(std::string& out, std::string_view name);

class Program;
struct TypeAlias;

// Finds types by name when text or code is converted to types. Implemented by the loader of type
// aliases in modules.
class TypeResolver {
 public:
  virtual ~TypeResolver() = default;
  // `name` is as written. Returns null when there is none: a TypeReference is made then.
  virtual const Type* find_type(std::string_view name) = 0;
  // The names of types besides the built-in ones, for suggestions.
  virtual std::vector<std::string> type_names() { return {}; }
};

// Parses a type's text. Throws EvaluationError for invalid text, with the place of a syntax error
// within the text. `resolver` may be null: then only built-in types are known, and other
// capitalized names are resource types or references as in the reference.
const Type* parse_type(Arena& arena, std::string_view text, TypeResolver* resolver);

// An error in Type[keys...], without a place but with the responsible part of the expression.
class AccessError : public EvaluationError {
 public:
  static constexpr int kWhole = -1;  // the whole expression
  static constexpr int kLeft = -2;   // the part before the bracket
  AccessError(Diagnostic diagnostic, int blamed)
      : EvaluationError(std::move(diagnostic)), blamed_(blamed) {}
  // kWhole, kLeft, or the index of a key (one beyond the last means the whole).
  int blamed() const { return blamed_; }

 private:
  int blamed_;
};

// Applies parameters to a type: the language's Type[keys...]. Throws AccessError with the
// reference's issue and message; the caller adds the place. Also Class['x'], Resource['File', 't'],
// File['x']. Throws EvaluationError for errors without an issue in the reference.
const Type* parameterize(Arena& arena, const Type* type, std::span<const Value> keys,
                         TypeResolver* resolver);

// --- types from the tree ------------------------------------------------------------------------

// Interprets an expression of type aliases, `parse_type` and similar: literals and types only, no
// variables or calls. The Program must outlive the type. Throws EvaluationError.
const Type* interpret_type(Arena& arena, const Program& program, const Expression& expression,
                           TypeResolver* resolver);

// The type that `type Name = ...` declares: an alias, an Object type or a type set. It is not
// resolved yet, so that it can be registered first and refer to itself and others. The Program must
// outlive it.
const Type* declare_type(Arena& arena, const Program& program, const TypeAlias& declaration);
// Resolves a type from declare_type(), with all types that it refers to. Does nothing for resolved
// and other types. Throws EvaluationError in the reference's words.
void resolve_declared_type(Arena& arena, const Type* type, TypeResolver* resolver);
bool is_resolved(const Type* type);

// Finds a type by name in a (resolved) type set or the sets that it refers to, ignoring case:
// "Car", "Other::Car". Null when there is none.
const Type* find_in_type_set(const TypeSetType& set, std::string_view name);

}  // namespace bunraku
