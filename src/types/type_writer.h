// Conversion of types, and values within them, to text. Internal to type_text.h: kinds of types are
// in type_writer.cc, declarations (Object types, type sets, aliases) in declared_type_text.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "types/recursion.h"
#include "values/type.h"

namespace bunraku {

class TypeWriter {
 public:
  // Appends to `out`, which must outlive this. Expanded: aliases and Object types by their
  // definition.
  TypeWriter(std::string& out, bool expanded) : out_(out), expanded_(expanded) {}

  // Both throw EvaluationError when the nesting is too deep.
  void write(const Type* type);
  void write_value(Value value);

 private:
  // --- punctuation ---

  void separate();
  void begin(std::string_view name);
  void end();
  void write_quoted(std::string_view text);
  // Writes "1, 2", "default, 2" or "1"; nothing for a range without bounds.
  void write_range(IntegerRange range);
  void write_size(IntegerRange size);
  void write_list(std::span<const Type* const> types);
  void write_sized(std::string_view name, IntegerRange size);
  void write_containing(std::string_view name, const Type* contained);
  // A string type with a value is written as a key of a Struct here.
  void write_named_or_key(std::string_view name, const Type* contained);

  // --- kinds of types ---

  void write_integer(const IntegerType& type);
  void write_float(const FloatType& type);
  void write_boolean(const BooleanType& type);
  void write_enum(const EnumType& type);
  void separate_after(bool is_first);
  void write_pattern(const PatternType& type);
  void write_regexp(const RegexpType& type);
  static bool is_empty_size(IntegerRange size);
  void write_array(const ArrayType& type);
  void write_further_size(IntegerRange size);
  void write_hash(const HashType& type);
  void write_tuple(const TupleType& type);
  void write_struct(const StructType& type);
  void write_struct_key(const StructElement& element);
  void write_variant(const VariantType& type);
  void write_callable(const CallableType& type);
  void write_callable_parameters(const CallableType& type);
  void write_init(const InitType& type);
  void write_versions(const SemVerType& type);
  static std::string range_text(const SemVerRange& range);
  template <typename Text>
  void write_times(std::string_view name, IntegerRange range, Text text);
  void write_uri(const UriType& type);
  void write_class(const ClassType& type);
  void write_resource(const ResourceType& type);
  void write_runtime(const RuntimeType& type);
  void write_reference(const TypeReferenceType& type);

  // --- objects and type sets ---

  void write_object(const ObjectType& type);
  void write_parameter_values(const ObjectType& type);
  void write_object_definition(const ObjectType& type, bool with_name);
  void write_members(const HashObject& members);
  static bool defines(const TypeSetType& set, const Type& type);
  // The name of a type relative to the type set that is being written.
  static std::string name_within(const TypeSetType& set, const Type& type);
  std::string name_in_type_set(const ObjectType& type);
  void write_type_set(const TypeSetType& type);
  void write_set_types(const TypeSetType& set);
  void write_set_references(const HashObject& references);

  // --- aliases ---

  void write_alias(const TypeAliasType& type);
  void write_alias(const TypeAliasType& type, bool expand);

  // --- values ---

  void write_values(std::span<const Value> values);
  void write_entries(const HashObject& hash);
  void write_instance(const ObjectInstance& object);

  std::string& out_;
  bool expanded_;
  const TypeSetType* type_set_ = nullptr;
  RecursionGuard guard_;
  Nesting nesting_;
};

}  // namespace bunraku
