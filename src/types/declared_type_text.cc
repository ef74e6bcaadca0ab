// The text of declared types: Object types and their instances, type sets, aliases.

#include <algorithm>

#include "base/text/ruby_text.h"
#include "types/built_in_types.h"
#include "types/object_init.h"
#include "types/relation_parts.h"
#include "types/type_writer.h"
#include "values/object.h"

namespace bunraku {
namespace {

bool is_builtin_alias(const TypeAliasType& alias) {
  return &alias == types::kData || &alias == types::kRichData || &alias == types::kRichDataKey ||
         &alias == types::kLookupKey || &alias == types::kLookupValue;
}

}  // namespace

// --- objects and type sets -----------------------------------------------------------------

void TypeWriter::write_object(const ObjectType& type) {
  if (type.base != nullptr) {
    out_ += name_in_type_set(*type.base);
    out_ += '[';
    write_parameter_values(type);
    end();
  } else if (expanded_) {
    write_object_definition(type, type_set_ == nullptr || !defines(*type_set_, type));
  } else {
    out_ += name_in_type_set(type);
  }
}

void TypeWriter::write_parameter_values(const ObjectType& type) {
  std::span<const Value> values = type.parameter_values;
  constexpr size_t kMostByPosition = 2;
  if (values.size() > kMostByPosition) {
    out_ += '{';
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_default()) continue;
      separate();
      append_quoted(out_, type_parameter_name(*type.base, i));
      out_ += " => ";
      write_value(values[i]);
    }
    out_ += '}';
    return;
  }
  while (!values.empty() && values.back().is_default()) values = values.first(values.size() - 1);
  for (size_t i = 0; i < values.size(); ++i) {
    separate_after(i == 0);
    write_value(values[i]);
  }
}

void TypeWriter::write_object_definition(const ObjectType& type, bool with_name) {
  Arena scratch;
  const Value definition = object_definition(scratch, type, with_name);
  // Inner types are shown by name, not expanded.
  const bool was_expanded = expanded_;
  expanded_ = false;
  out_ += "Object[{";
  for (const HashEntry& entry : definition.as_hash()) {
    separate();
    const std::string_view key = entry.key.as_string();
    out_ += key;
    out_ += " => ";
    if (key == "attributes" || key == "functions") {
      write_members(entry.value.as_hash());
    } else {
      write_value(entry.value);
    }
  }
  out_ += "}]";
  expanded_ = was_expanded;
}

void TypeWriter::write_members(const HashObject& members) {
  out_ += '{';
  for (const HashEntry& member : members) {
    separate();
    write_value(member.key);
    out_ += " => ";
    if (!member.value.is_hash()) {
      write_value(member.value);
      continue;
    }
    out_ += '{';
    for (const HashEntry& feature : member.value.as_hash()) {
      separate();
      out_ += feature.key.as_string();
      out_ += " => ";
      if (feature.key.as_string() == "kind") {
        out_ += feature.value.as_string();
      } else {
        write_value(feature.value);
      }
    }
    out_ += '}';
  }
  out_ += '}';
}

bool TypeWriter::defines(const TypeSetType& set, const Type& type) {
  return std::ranges::any_of(set.types, [&](const HashEntry& entry) {
    return entry.value.is_type() && same_type(entry.value.as_type(), &type);
  });
}

std::string TypeWriter::name_within(const TypeSetType& set, const Type& type) {
  for (const HashEntry& entry : set.types) {
    if (entry.value.is_type() && same_type(entry.value.as_type(), &type)) {
      return std::string(entry.key.as_string());
    }
  }
  for (const HashEntry& reference : set.references) {
    if (!reference.value.is_type()) continue;
    const auto* other = reference.value.as_type()->try_as<TypeSetType>();
    if (other == nullptr) continue;
    const std::string name = name_within(*other, type);
    if (!name.empty()) return std::string(reference.key.as_string()) + "::" + name;
  }
  return {};
}

std::string TypeWriter::name_in_type_set(const ObjectType& type) {
  if (type_set_ != nullptr) {
    std::string name = name_within(*type_set_, type);
    if (!name.empty()) return name;
  }
  return std::string(type.name.empty() ? "Object" : type.name);
}

void TypeWriter::write_type_set(const TypeSetType& type) {
  Arena scratch;
  const Value definition = type_set_definition(scratch, type);
  out_ += "TypeSet[{";
  for (const HashEntry& entry : definition.as_hash()) {
    separate();
    const std::string_view key = entry.key.as_string();
    out_ += key;
    out_ += " => ";
    if (key == "types") {
      write_set_types(type);
    } else if (key == "references") {
      write_set_references(entry.value.as_hash());
    } else {
      write_value(entry.value);
    }
  }
  out_ += "}]";
}

void TypeWriter::write_set_types(const TypeSetType& set) {
  const TypeSetType* outer = type_set_;
  type_set_ = &set;
  out_ += '{';
  for (const HashEntry& entry : set.types) {
    separate();
    out_ += entry.key.as_string();
    out_ += " => ";
    write_value(entry.value);
  }
  out_ += '}';
  type_set_ = outer;
}

void TypeWriter::write_set_references(const HashObject& references) {
  out_ += '{';
  for (const HashEntry& entry : references) {
    separate();
    out_ += entry.key.as_string();
    out_ += " => ";
    write_value(entry.value);
  }
  out_ += '}';
}

// --- aliases -------------------------------------------------------------------------------

void TypeWriter::write_alias(const TypeAliasType& type) {
  if (!expanded_ || !type.is_recursive) return write_alias(type, expanded_);
  guard_.with_this(&type, [&](bool) {
    write_alias(type, !guard_.repeats_this());
    return true;
  });
}

void TypeWriter::write_alias(const TypeAliasType& type, bool expand) {
  if (type_set_ != nullptr) {
    if (expand && defines(*type_set_, type)) return write(resolved_type(type));
    const std::string name = name_within(*type_set_, type);
    out_ += name.empty() ? std::string(type.name) : name;
    return;
  }
  out_ += type.name;
  if (!expand || is_builtin_alias(type)) return;
  out_ += " = ";
  write(resolved_type(type));
}

// --- values --------------------------------------------------------------------------------

void TypeWriter::write_instance(const ObjectInstance& object) {
  const ObjectType* type = object_type_of(object.type);
  Arena scratch;
  out_ += type->name.empty() ? "Object" : type->name;
  out_ += '(';
  write_value(init_hash_of(scratch, object));
  out_ += ')';
}

}  // namespace bunraku
