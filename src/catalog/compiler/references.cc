// References to resources as text.
#include "catalog/compiler/references.h"

#include "catalog/compiler/resource.h"
#include "types/interpolation.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {

namespace {

const Name& class_key() {
  static const Name name("class");
  return name;
}

}  // namespace

std::string reference_text(Name written_key, std::string_view title) {
  const Name type_key = catalog_type_key(written_key);
  std::string text;
  text.reserve(type_key.text().size() + title.size() + 2);
  append_capitalized_segments(text, type_key.text());
  text += '[';
  if (type_key == class_key()) {
    text += class_title(title);
  } else {
    text += title;
  }
  return text += ']';
}

std::string reference_text(Value value) {
  if (value.is_type()) {
    const Type* type = value.as_type();
    if (const auto* class_type = type->try_as<ClassType>()) {
      return reference_text(class_key(), class_type->class_name.text());
    }
    if (const auto* resource = type->try_as<ResourceType>()) {
      return reference_text(resource->key, resource->title ? *resource->title : "");
    }
  }
  return interpolated(value);
}

bool is_reference(const Type& type) {
  return type.kind == TypeKind::kClass || type.kind == TypeKind::kResource;
}

std::string ruby_reference_text(Value value) {
  if (value.is_type() && is_reference(*value.as_type())) return reference_text(value);
  if (value.is_hash() || value.is(ValueKind::kRegexp)) {
    std::string text;
    append_ruby_to_s(text, value);
    return text;
  }
  return interpolated(value);
}

}  // namespace bunraku
