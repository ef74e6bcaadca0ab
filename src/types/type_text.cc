// The public conversions of types to text.

#include "types/type_text.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "types/type_writer.h"

namespace bunraku {
namespace {

bool shows_definition(const Type* type) {
  return type->kind == TypeKind::kTypeAlias || type->kind == TypeKind::kObject ||
         type->kind == TypeKind::kTypeSet;
}

}  // namespace

std::string to_text(const Type* type) {
  std::string text;
  TypeWriter(text, false).write(type);
  return text;
}

std::string to_expanded_text(const Type* type) {
  std::string text;
  TypeWriter(text, true).write(type);
  return text;
}

std::string to_display_text(const Type* type) {
  // A parameterised use of an Object type is not a definition.
  const auto* object = type->try_as<ObjectType>();
  if (object != nullptr && object->base != nullptr) return to_text(type);
  return shows_definition(type) ? to_expanded_text(type) : to_text(type);
}

void append_value_text(std::string& out, Value value) {
  TypeWriter(out, false).write_value(value);
}

std::string to_naming_text(const Type* type) {
  const auto* object = type->try_as<ObjectType>();
  const bool is_nameless = object != nullptr && object->name.empty() && object->base == nullptr;
  return is_nameless ? to_expanded_text(type) : to_text(type);
}

bool is_catalog_reference(const Type* type) {
  if (const auto* resource = type->try_as<ResourceType>()) return resource->title != nullptr;
  const auto* named = type->try_as<ClassType>();
  return named != nullptr && bool(named->class_name);
}

bool is_given_reference(const Type* type) {
  const auto* resource = type->try_as<ResourceType>();
  return resource != nullptr && resource->is_given;
}

std::string catalog_reference_text(const Type* type) {
  std::string text;
  if (const auto* resource = type->try_as<ResourceType>()) {
    text += resource->type_name.text();
    text += '[';
    text += *resource->title;
  } else {
    text += "Class[";
    append_capitalized_segments(text, type->as<ClassType>().class_name.text());
  }
  return text + ']';
}

namespace {

// A fast path for names in lower-case ASCII, without Unicode tables. Appends nothing and returns
// false for other names.
bool append_small_segments(std::string& out, std::string_view name) {
  const auto is_other = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || (c >= 'A' && c <= 'Z');
  };
  if (std::ranges::any_of(name, is_other)) return false;
  char* letters = out.append(name).data() + out.size() - name.size();
  bool is_first = true;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("::")) {
      ++i;
      is_first = true;
    } else {
      if (is_first && letters[i] >= 'a' && letters[i] <= 'z') letters[i] -= 'a' - 'A';
      is_first = false;
    }
  }
  return true;
}

}  // namespace

void append_capitalized_segments(std::string& out, std::string_view name) {
  if (!name.empty() && name.front() >= 'A' && name.front() <= 'Z') {
    out += name;
    return;
  }
  if (append_small_segments(out, name)) return;
  while (true) {
    const size_t end = std::min(name.find("::"), name.size());
    out += capitalize(name.substr(0, end));
    if (end == name.size()) return;
    out += "::";
    name.remove_prefix(end + 2);
  }
}

std::string capitalized_segments(std::string_view name) {
  std::string text;
  append_capitalized_segments(text, name);
  return text;
}

}  // namespace bunraku
