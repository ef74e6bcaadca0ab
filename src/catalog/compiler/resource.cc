#include "catalog/compiler/resource.h"

#include "base/regex/regex.h"
#include "base/text/utf8.h"
#include "evaluation/scope.h"
#include "types/type_text.h"

namespace bunraku {

const Parameter* Definition::find_parameter(Name parameter, size_t* number) const {
  const size_t at = parameter_index.find(parameter, parameters.size(),
                                         [this](size_t i) { return parameters[i]->name; });
  if (at == NameIndex::kNowhere) return nullptr;
  if (number != nullptr) *number = at;
  return parameters[at];
}

bool Definition::is_child_of(const Definition* other) const {
  for (const Definition* definition = this;; definition = definition->parent) {
    if (definition->overrides_freely) return true;
    if (definition->parent == nullptr) return false;
    if (definition->parent == other) return true;
  }
}

Name catalog_type_key(Name type_key) {
  static const Name kComponent("component"), kClass("class");
  return type_key == kComponent ? kClass : type_key;
}

std::string class_title(std::string_view name) {
  const std::string title = capitalized_segments(name);
  return title == "Component" ? "Class" : title;
}

std::string_view name_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::kUnknown:
      return "unknown";
    case ResourceKind::kClass:
      return "class";
    case ResourceKind::kDefinedType:
      return "defined_type";
    case ResourceKind::kCompilableType:
      return "compilable_type";
  }
  return "unknown";
}

const ResourceParameter* Resource::find(Name name) const {
  return parameters.find(name);
}

ResourceParameter* Resource::find(Name name) {
  return const_cast<ResourceParameter*>(static_cast<const Resource*>(this)->find(name));
}

Value Resource::value_of(Name name) const {
  const ResourceParameter* parameter = find(name);
  return parameter != nullptr ? parameter->value : Value::undef();
}

const std::string& Resource::file() const {
  static const std::string kUnknown = "unknown";
  const std::string& path = place.program->path();
  return path.empty() && is_from_function ? kUnknown : path;
}

bool Resource::has_tag(Name tag) const {
  for (const Resource* resource = this; resource != nullptr;) {
    if (resource->tags.contains(tag)) return true;
    const Scope* where = resource->scope;
    const Resource* container =
        where != nullptr && where->catalog != nullptr ? where->catalog->resource : nullptr;
    resource = container == resource ? nullptr : container;
  }
  return false;
}

bool Resource::is_title(Value value) const {
  if (is_main) return false;
  return title_value.is_undef() ? value.is_string() && value.as_string() == title
                                : identical(value, title_value);
}

bool captures_whole_title(const NativeType& type, std::string_view title) {
  if (type.title_parser != nullptr || type.title_patterns.empty()) return false;
  if (type.title_patterns[0].pattern == nullptr) return true;
  static const Name kFile("file");
  // The pattern of file captures a path that has no trailing slash and no line ends.
  return type.name == kFile && !title.empty() && title.back() != '/' &&
         title.find('\n') == std::string_view::npos && is_valid_utf8(title);
}

bool parse_title(const Resource& resource, std::vector<TitlePart>& parts) {
  static const Name kName("name");
  parts.clear();
  if (resource.native == nullptr) {
    parts.push_back({kName, Value::string(resource.title)});
    return true;
  }
  const NativeType& type = *resource.native;
  if (captures_whole_title(type, resource.title)) {
    parts.push_back({type.title_patterns[0].captures[0], Value::string(resource.title)});
    return true;
  }
  if (TitleParser* parser = type.title_parser) return parser->parse(resource.title, parts);
  for (const TitlePattern& pattern : type.title_patterns) {
    if (pattern.pattern == nullptr) {
      parts.push_back({pattern.captures[0], Value::string(resource.title)});
      return true;
    }
    Captures captures;
    if (!pattern.pattern->search(resource.title, 0, captures)) continue;
    for (size_t i = 0; i < pattern.captures.size(); ++i) {
      parts.push_back({pattern.captures[i], Value::string(captures.text(resource.title, i + 1))});
    }
    return true;
  }
  return false;
}

const Resource* resource_of(const Scope& scope) {
  return scope.catalog != nullptr ? scope.catalog->resource : nullptr;
}

}  // namespace bunraku
