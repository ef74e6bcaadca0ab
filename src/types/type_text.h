// Types as text, and text as types.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics/diagnostic.h"
#include "values/type.h"

namespace bunraku {

// The canonical text: Array[Variant[Integer[1, 2], String]]. Aliases by their name.
std::string to_text(const Type* type);
// With aliases replaced by what they stand for, as mismatch messages show them.
std::string to_expanded_text(const Type* type);

// As the language shows a type that is a value: aliases, Object types and type sets with their
// definition ("Port = Integer[1, 65535]"), all others as to_text() has them.
std::string to_display_text(const Type* type);
// As messages and rich data name a type that is a value: its canonical text; an Object type without
// a name by its definition, even when that is empty.
std::string to_naming_text(const Type* type);
// Is it a resource with a title, or a class with a name?
bool is_catalog_reference(const Type* type);
// Is it what types::given_reference() makes?
bool is_given_reference(const Type* type);
// Such a reference as catalogs have it, without quotes: File[/x], Class[Apache::Vhost].
std::string catalog_reference_text(const Type* type);
// A value as it stands within the text of a type: 'a', [1, 2], {'a' => undef}, Name({...}).
void append_value_text(std::string& out, Value value);
// apache::vhost as Apache::Vhost; what begins with an upper-case letter stays.
std::string capitalized_segments(std::string_view name);
void append_capitalized_segments(std::string& out, std::string_view name);

class Program;
struct TypeAlias;

// Finds types by name when text or code is turned into types. Implemented above by what loads
// type aliases from modules.
class TypeResolver {
 public:
  virtual ~TypeResolver() = default;
  // `name` as written. Null when there is none: a TypeReference is made then.
  virtual const Type* find_type(std::string_view name) = 0;
  // Names that it may find besides the built-in ones: what a name that it does not find may have
  // meant.
  virtual std::vector<std::string> type_names() { return {}; }
};

// Parses a type's text. Throws EvaluationError when it is not the text of a type, with the place of
// a mistake in its syntax, which is counted within the text. `resolver` may be
// null: only built-in types are known then, other upper-case names are resource types or references
// as in the reference.
const Type* parse_type(Arena& arena, std::string_view text, TypeResolver* resolver);

// A mistake in Type[keys...], without a place but with the part of the expression that it lies in.
class AccessError : public EvaluationError {
 public:
  static constexpr int kWhole = -1;  // all of it
  static constexpr int kLeft = -2;   // what stands before the bracket
  AccessError(Diagnostic diagnostic, int blamed)
      : EvaluationError(std::move(diagnostic)), blamed_(blamed) {}
  // kWhole, kLeft, or the number of a key (one beyond the last is the whole).
  int blamed() const { return blamed_; }

 private:
  int blamed_;
};

// Applies parameters to a type: the language's Type[keys...]. Throws AccessError with the
// reference's issue and message; the place is filled in by the caller. Also Class['x'],
// Resource['File', 't'], File['x']. Throws EvaluationError where the reference raises something
// without an issue of its own.
const Type* parameterize(Arena& arena, const Type* type, std::span<const Value> keys,
                         TypeResolver* resolver);

// --- types from the tree ------------------------------------------------------------------------

// What a type alias, `parse_type` and the like make of an expression: literals and types only, no
// variables or calls. The Program must outlive the type. Throws EvaluationError.
const Type* interpret_type(Arena& arena, const Program& program, const Expression& expression,
                           TypeResolver* resolver);

// The type that `type Name = ...` declares: an alias, an Object type or a type set. Not resolved
// yet, so that it can be made known first and may refer to itself and others. The Program must
// outlive it.
const Type* declare_type(Arena& arena, const Program& program, const TypeAlias& declaration);
// Resolves what declare_type() made, with all that it refers to. Does nothing the second time, nor
// to other types. Throws EvaluationError in the reference's words.
void resolve_declared_type(Arena& arena, const Type* type, TypeResolver* resolver);
bool is_resolved(const Type* type);

// The type under a name in a (resolved) type set or in those that it refers to, without regard to
// case: "Car", "Other::Car". Null when there is none.
const Type* find_in_type_set(const TypeSetType& set, std::string_view name);

}  // namespace bunraku
