// The text of each kind of type, exactly as in the reference.

#include "types/type_writer.h"

#include <cmath>

#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "types/built_in_types.h"
#include "types/relation_parts.h"
#include "types/relations.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/sem_ver.h"
#include "values/timespan.h"
#include "values/timestamp.h"
#include "values/uri.h"

namespace bunraku {

void TypeWriter::write(const Type* type) {
  const NestingGuard guard(nesting_, "a type");
  check_length(out_.size());
  switch (type->kind) {
    case TypeKind::kAny:
      out_ += "Any";
      break;
    case TypeKind::kUnit:
      out_ += "Unit";
      break;
    case TypeKind::kUndef:
      out_ += "Undef";
      break;
    case TypeKind::kDefault:
      out_ += "Default";
      break;
    case TypeKind::kScalar:
      out_ += "Scalar";
      break;
    case TypeKind::kScalarData:
      out_ += "ScalarData";
      break;
    case TypeKind::kNumeric:
      out_ += "Numeric";
      break;
    case TypeKind::kBinary:
      out_ += "Binary";
      break;
    case TypeKind::kSemVerRange:
      out_ += "SemVerRange";
      break;
    case TypeKind::kCatalogEntry:
      out_ += "CatalogEntry";
      break;
    case TypeKind::kInteger:
      write_integer(type->as<IntegerType>());
      break;
    case TypeKind::kFloat:
      write_float(type->as<FloatType>());
      break;
    case TypeKind::kBoolean:
      write_boolean(type->as<BooleanType>());
      break;
    case TypeKind::kString:
      write_sized("String", type->as<StringType>().size);
      break;
    case TypeKind::kEnum:
      write_enum(type->as<EnumType>());
      break;
    case TypeKind::kPattern:
      write_pattern(type->as<PatternType>());
      break;
    case TypeKind::kRegexp:
      write_regexp(type->as<RegexpType>());
      break;
    case TypeKind::kCollection:
      write_sized("Collection", type->as<CollectionType>().size);
      break;
    case TypeKind::kArray:
      write_array(type->as<ArrayType>());
      break;
    case TypeKind::kHash:
      write_hash(type->as<HashType>());
      break;
    case TypeKind::kTuple:
      write_tuple(type->as<TupleType>());
      break;
    case TypeKind::kStruct:
      write_struct(type->as<StructType>());
      break;
    case TypeKind::kVariant:
      write_variant(type->as<VariantType>());
      break;
    case TypeKind::kOptional:
      write_named_or_key("Optional", type->as<OptionalType>().contained);
      break;
    case TypeKind::kNotUndef:
      write_named_or_key("NotUndef", type->as<NotUndefType>().contained);
      break;
    case TypeKind::kIterable:
      write_containing("Iterable", type->as<IterableType>().contained);
      break;
    case TypeKind::kIterator:
      write_containing("Iterator", type->as<IteratorType>().contained);
      break;
    case TypeKind::kType:
      write_containing("Type", type->as<TypeType>().contained);
      break;
    case TypeKind::kSensitive:
      write_containing("Sensitive", type->as<SensitiveType>().contained);
      break;
    case TypeKind::kCallable:
      write_callable(type->as<CallableType>());
      break;
    case TypeKind::kInit:
      write_init(type->as<InitType>());
      break;
    case TypeKind::kSemVer:
      write_versions(type->as<SemVerType>());
      break;
    case TypeKind::kTimespan:
      write_times("Timespan", type->as<TimespanType>().range, timespan_text);
      break;
    case TypeKind::kTimestamp:
      write_times("Timestamp", type->as<TimestampType>().range, timestamp_text);
      break;
    case TypeKind::kUri:
      write_uri(type->as<UriType>());
      break;
    case TypeKind::kClass:
      write_class(type->as<ClassType>());
      break;
    case TypeKind::kResource:
      write_resource(type->as<ResourceType>());
      break;
    case TypeKind::kRuntime:
      write_runtime(type->as<RuntimeType>());
      break;
    case TypeKind::kObject:
      write_object(type->as<ObjectType>());
      break;
    case TypeKind::kTypeSet:
      write_type_set(type->as<TypeSetType>());
      break;
    case TypeKind::kTypeAlias:
      write_alias(type->as<TypeAliasType>());
      break;
    case TypeKind::kTypeReference:
      write_reference(type->as<TypeReferenceType>());
      break;
  }
}

void TypeWriter::write_value(Value value) {
  const NestingGuard guard(nesting_, "a value");
  check_length(out_.size());
  switch (value.kind()) {
    case ValueKind::kUndef:
      out_ += "undef";
      break;
    case ValueKind::kDefault:
      out_ += "default";
      break;
    case ValueKind::kBoolean:
      out_ += value.as_boolean() ? "true" : "false";
      break;
    case ValueKind::kInteger:
      append_integer(out_, value.as_integer());
      break;
    case ValueKind::kFloat:
      append_float(out_, value.as_float());
      break;
    case ValueKind::kString:
      append_quoted(out_, value.as_string());
      break;
    case ValueKind::kRegexp:
      append_regexp_literal(out_, value.as_regexp());
      break;
    case ValueKind::kArray:
      write_values(value.as_array());
      break;
    case ValueKind::kHash:
      write_entries(value.as_hash());
      break;
    case ValueKind::kType:
      write(value.as_type());
      break;
    case ValueKind::kTimestamp:
      write_quoted(timestamp_text(value.as_timestamp()));
      break;
    case ValueKind::kTimespan:
      write_quoted(timespan_text(value.as_timespan()));
      break;
    case ValueKind::kSemVer: {
      std::string text;
      append_text(text, value.as_sem_ver());
      write_quoted(text);
      break;
    }
    case ValueKind::kSemVerRange:
      write_quoted(value.as_sem_ver_range().text);
      break;
    case ValueKind::kUri: {
      std::string text;
      append_text(text, value.as_uri());
      out_ += "URI(";
      append_quoted(out_, text);
      out_ += ')';
      break;
    }
    case ValueKind::kObject:
      write_instance(value.as_object());
      break;
    case ValueKind::kBinary:
    case ValueKind::kSensitive:
    case ValueKind::kIterator:
    case ValueKind::kControl: {
      Arena scratch;
      out_ += "Instance of ";
      write(infer(scratch, value));
      break;
    }
  }
}

// --- punctuation ---------------------------------------------------------------------------

void TypeWriter::separate() {
  const char last = out_.back();
  if (last != '[' && last != '{' && last != '(') out_ += ", ";
}

void TypeWriter::begin(std::string_view name) {
  out_ += name;
  out_ += '[';
}

void TypeWriter::end() {
  out_ += ']';
}

void TypeWriter::write_quoted(std::string_view text) {
  out_ += '\'';
  out_ += text;
  out_ += '\'';
}

void TypeWriter::write_range(IntegerRange range) {
  const bool is_single_greatest = range.from == kMaxInteger;
  if (range.from == kMinInteger) {
    out_ += "default";
  } else {
    append_integer(out_, range.from);
  }
  if (range.to != kMaxInteger || is_single_greatest) {
    out_ += ", ";
    append_integer(out_, range.to);
  }
}

void TypeWriter::write_size(IntegerRange size) {
  write_range({size_from(size), size.to});
}

void TypeWriter::write_list(std::span<const Type* const> types) {
  bool first = true;
  for (const Type* type : types) {
    if (!first) out_ += ", ";
    first = false;
    write(type);
  }
}

void TypeWriter::write_sized(std::string_view name, IntegerRange size) {
  out_ += name;
  if (!is_size_given(size)) return;
  out_ += '[';
  write_size(size);
  end();
}

void TypeWriter::write_containing(std::string_view name, const Type* contained) {
  out_ += name;
  if (contained == nullptr) return;
  out_ += '[';
  write(contained);
  end();
}

void TypeWriter::write_named_or_key(std::string_view name, const Type* contained) {
  const StringType* string = contained == nullptr ? nullptr : contained->try_as<StringType>();
  if (string == nullptr || string->value == nullptr) return write_containing(name, contained);
  begin(name);
  append_quoted(out_, *string->value);
  end();
}

// --- kinds of types ------------------------------------------------------------------------

void TypeWriter::write_integer(const IntegerType& type) {
  out_ += "Integer";
  if (type.range.from == kMinInteger && type.range.to == kMaxInteger) return;
  out_ += '[';
  write_range(type.range);
  end();
}

void TypeWriter::write_float(const FloatType& type) {
  out_ += "Float";
  const bool from_given = type.from != -std::numeric_limits<double>::infinity();
  const bool to_given = type.to != std::numeric_limits<double>::infinity();
  if (!from_given && !to_given) return;
  out_ += '[';
  if (from_given) {
    append_float(out_, type.from);
  } else {
    out_ += "default";
  }
  if (to_given) {
    out_ += ", ";
    append_float(out_, type.to);
  }
  end();
}

void TypeWriter::write_boolean(const BooleanType& type) {
  out_ += type.value < 0 ? "Boolean" : type.value == 0 ? "Boolean[false]" : "Boolean[true]";
}

void TypeWriter::write_enum(const EnumType& type) {
  out_ += "Enum";
  if (type.values.empty()) return;
  out_ += '[';
  for (const std::string_view value : type.values) {
    separate_after(value.data() == type.values.front().data());
    append_quoted(out_, value);
  }
  if (type.case_insensitive) out_ += ", true";
  end();
}

void TypeWriter::separate_after(bool is_first) {
  if (!is_first) out_ += ", ";
}

void TypeWriter::write_pattern(const PatternType& type) {
  out_ += "Pattern";
  if (type.patterns.empty()) return;
  out_ += '[';
  for (size_t i = 0; i < type.patterns.size(); ++i) {
    separate_after(i == 0);
    append_regexp_literal(out_, type.patterns[i]);
  }
  end();
}

void TypeWriter::write_regexp(const RegexpType& type) {
  out_ += "Regexp";
  if (type.pattern == nullptr) return;
  out_ += '[';
  append_regexp_literal(out_, *type.pattern);
  end();
}

bool TypeWriter::is_empty_size(IntegerRange size) {
  return size.from == 0 && size.to == 0;
}

void TypeWriter::write_array(const ArrayType& type) {
  out_ += "Array";
  if (is_empty_size(type.size)) {
    out_ += "[0, 0]";
    return;
  }
  if (type.element->kind == TypeKind::kAny && !is_size_given(type.size)) return;
  out_ += '[';
  write(type.element);
  write_further_size(type.size);
  end();
}

void TypeWriter::write_further_size(IntegerRange size) {
  if (!is_size_given(size)) return;
  out_ += ", ";
  write_size(size);
}

void TypeWriter::write_hash(const HashType& type) {
  out_ += "Hash";
  if (is_empty_size(type.size)) {
    out_ += "[0, 0]";
    return;
  }
  const bool is_any = type.key->kind == TypeKind::kAny && type.value->kind == TypeKind::kAny;
  if (is_any && !is_size_given(type.size)) return;
  out_ += '[';
  write(type.key);
  out_ += ", ";
  write(type.value);
  write_further_size(type.size);
  end();
}

void TypeWriter::write_tuple(const TupleType& type) {
  out_ += "Tuple";
  if (type.types.empty()) return;
  out_ += '[';
  write_list(type.types);
  if (type.size_given) {
    out_ += ", ";
    write_size(type.size);
  }
  end();
}

void TypeWriter::write_struct(const StructType& type) {
  out_ += "Struct";
  if (type.elements.empty()) return;
  out_ += "[{";
  for (const StructElement& element : type.elements) {
    separate();
    write_struct_key(element);
    out_ += " => ";
    write(element.value);
  }
  out_ += "}]";
}

void TypeWriter::write_struct_key(const StructElement& element) {
  const bool key_optional = element.key->kind == TypeKind::kOptional;
  const bool value_optional = is_assignable(element.value, types::kUndef);
  if (key_optional == value_optional) {
    append_quoted(out_, element.name);
    return;
  }
  begin(key_optional ? "Optional" : "NotUndef");
  append_quoted(out_, element.name);
  end();
}

void TypeWriter::write_variant(const VariantType& type) {
  out_ += "Variant";
  if (type.types.empty()) return;
  out_ += '[';
  write_list(type.types);
  end();
}

void TypeWriter::write_callable(const CallableType& type) {
  out_ += "Callable";
  if (type.return_type == nullptr) {
    if (type.parameters == nullptr) return;
    out_ += '[';
    write_callable_parameters(type);
    end();
    return;
  }
  out_ += "[[";
  if (type.parameters != nullptr) write_callable_parameters(type);
  out_ += "], ";
  write(type.return_type);
  end();
}

void TypeWriter::write_callable_parameters(const CallableType& type) {
  for (const Type* parameter : type.parameters->types) {
    if (parameter->kind == TypeKind::kUnit) continue;
    separate();
    write(parameter);
  }
  if (type.parameters->types.empty()) {
    separate();
    out_ += "0, 0";
  } else if (type.parameters->size_given) {
    separate();
    write_size(type.parameters->size);
  }
  if (type.block != nullptr) {
    separate();
    write(type.block);
  }
}

void TypeWriter::write_init(const InitType& type) {
  out_ += "Init";
  if (type.contained == nullptr) return;
  out_ += '[';
  write(type.contained);
  for (const Value argument : type.arguments) {
    out_ += ", ";
    write_value(argument);
  }
  end();
}

void TypeWriter::write_versions(const SemVerType& type) {
  out_ += "SemVer";
  if (type.ranges.empty()) return;
  out_ += '[';
  for (size_t i = 0; i < type.ranges.size(); ++i) {
    separate_after(i == 0);
    write_quoted(range_text(*type.ranges[i]));
  }
  end();
}

std::string TypeWriter::range_text(const SemVerRange& range) {
  if (range.text.data() != nullptr) return std::string(range.text);
  // An inferred type has a range from a version to itself.
  std::string version;
  append_text(version, *range.alternatives.front().min);
  return version + " - " + version;
}

template <typename Text>
void TypeWriter::write_times(std::string_view name, IntegerRange range, Text text) {
  out_ += name;
  if (range.from == kMinInteger && range.to == kMaxInteger) return;
  out_ += '[';
  if (range.from == kMinInteger) {
    out_ += "default";
  } else {
    write_quoted(text(range.from));
  }
  if (range.to != kMaxInteger && range.to != range.from) {
    out_ += ", ";
    write_quoted(text(range.to));
  }
  end();
}

void TypeWriter::write_uri(const UriType& type) {
  out_ += "URI";
  if (type.parameters.is_undef()) return;
  out_ += '[';
  write_value(type.parameters);
  end();
}

void TypeWriter::write_class(const ClassType& type) {
  out_ += "Class";
  if (!type.class_name) return;
  out_ += '[';
  out_ += type.class_name.text();
  end();
}

void TypeWriter::write_resource(const ResourceType& type) {
  if (!type.key) {
    out_ += "Resource";
    return;
  }
  append_capitalized_segments(out_, type.type_name.text());
  if (type.title == nullptr) return;
  out_ += '[';
  if (type.is_given) {
    out_ += *type.title;
  } else {
    append_quoted(out_, *type.title);
  }
  end();
}

void TypeWriter::write_runtime(const RuntimeType& type) {
  out_ += "Runtime";
  if (type.runtime.empty() && type.name.empty()) return;
  out_ += '[';
  out_ += type.runtime.empty() ? "undef" : type.runtime;
  out_ += ", ";
  if (type.is_mapping) {
    out_ += '[';
    append_regexp_literal(out_, type.name);
    out_ += ", ";
    append_quoted(out_, type.name_replacement);
    end();
  } else if (type.name.empty()) {
    out_ += "undef";
  } else {
    append_quoted(out_, type.name);
  }
  end();
}

void TypeWriter::write_reference(const TypeReferenceType& type) {
  begin("TypeReference");
  append_quoted(out_, type.text);
  end();
}

// --- values --------------------------------------------------------------------------------

void TypeWriter::write_values(std::span<const Value> values) {
  out_ += '[';
  for (size_t i = 0; i < values.size(); ++i) {
    separate_after(i == 0);
    write_value(values[i]);
  }
  end();
}

void TypeWriter::write_entries(const HashObject& hash) {
  out_ += '{';
  bool is_first = true;
  for (const HashEntry& entry : hash) {
    separate_after(is_first);
    is_first = false;
    write_value(entry.key);
    out_ += " => ";
    write_value(entry.value);
  }
  out_ += '}';
}

}  // namespace bunraku
