#include "catalog/compiler/catalog.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostic.h"
#include "base/text/ruby_text.h"
#include "catalog/compiler/errors.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"
#include "values/bounds.h"
#include "values/flattened.h"

namespace bunraku {
namespace {

const Name& class_key() {
  static const Name key("class");
  return key;
}

// Separators of composite keys, which share a table with titles; they cannot occur in a title.
constexpr char kKeySeparator = '\x1f';
constexpr char kOtherValue = '\x1d';
constexpr char kNoValue = '\x1e';

bool has_location(const Place& place) {
  return place.program != nullptr && place.expression != nullptr;
}

std::string location_in(const std::string& path, const Place& place) {
  const uint32_t line = place.program->position(*place.expression).line;
  return path.empty() ? fmt::format("(line: {})", line)
                      : fmt::format("(file: {}, line: {})", path, line);
}

}  // namespace

std::string location_text(const Place& place) {
  return has_location(place) ? location_in(place.program->path(), place) : std::string();
}

std::string location_text(const Resource& resource) {
  return has_location(resource.place) ? location_in(resource.file(), resource.place)
                                      : std::string();
}

Catalog::Key::Key(Name type, std::string_view text)
    : hash(XXH3_64bits_withSeed(text.data(), text.size(), type.hash())),
      type_key(type),
      title(text) {}

Resource* Catalog::find_exact(Name type_key, std::string_view title) const {
  const auto found = index_.find(Key{type_key, title});
  return found == index_.end() ? nullptr : found->second;
}

namespace {

// The values of a resource's key attributes, sorted by the attributes' names.
struct UniquenessKey {
  std::vector<Value> values;  // undef: not set
  bool any = false;
};

UniquenessKey uniqueness_key(const Resource& resource, bool with_parameters) {
  static const Name kName("name");
  std::vector<TitlePart> parts;
  if (!parse_title(resource, parts) && with_parameters) {
    throw EvaluationError(
        make_diagnostic(Issue::kUnmatchedTitle, {}, {std::string(resource.title)}));
  }
  UniquenessKey key;
  const auto add = [&](Name attribute) {
    Value value = with_parameters ? resource.value_of(attribute) : Value::undef();
    if (value.is_undef()) {
      for (const TitlePart& part : parts) {
        if (part.attribute == attribute) value = part.value;
      }
    }
    key.values.push_back(value);
    key.any = key.any || !value.is_undef();
  };
  if (resource.native == nullptr) {
    add(kName);
  } else {
    for (const Name attribute : resource.native->sorted_key_attributes) add(attribute);
  }
  return key;
}

// Appends a text that is equal for two values when the reference's table treats them as the same
// key. References are the same only as one object.
void append_identity(std::string& text, Value value) {
  static thread_local Nesting nesting;
  const NestingGuard guard(nesting, "a value");
  if (value.is_string()) {
    text.append(value.as_string());
  } else if (value.is_undef()) {
    text.push_back(kNoValue);
  } else {
    text.push_back(kOtherValue);
    if (value.is_sensitive()) {
      append_identity(text, value.as_sensitive());
    } else if (value.is_type() && is_given_reference(value.as_type())) {
      text.append(fmt::format("{}", static_cast<const void*>(value.as_type())));
    } else {
      append_ruby_inspect(text, value);
    }
  }
}

bool is_one_text(const UniquenessKey& key) {
  return key.values.size() == 1 && key.values[0].is_string();
}

// In the reference, two objects for times are never the same key.
bool holds_time(const UniquenessKey& key) {
  return std::ranges::any_of(key.values, [](Value value) {
    return value.is(ValueKind::kTimespan) || value.is(ValueKind::kTimestamp);
  });
}

// Arrays among the values are flattened; a single string is its own key.
std::string joined(Arena& arena, const UniquenessKey& key) {
  const std::span<const Value> values = flattened(arena, key.values);
  std::string text;
  for (const Value value : values) {
    if (values.size() > 1) text.push_back(kKeySeparator);
    append_identity(text, value);
  }
  return text;
}

std::string inspected(std::span<const Value> values) {
  std::string text;
  for (const Value value : values) {
    if (!text.empty()) text.append(", ");
    append_ruby_inspect(text, value);
  }
  return text;
}

// Most titles are the key themselves and need none to be made.
bool title_is_key(const Resource& resource) {
  static const Name kName("name");
  if (resource.native == nullptr) return resource.find(kName) == nullptr;
  const NativeType& type = *resource.native;
  if (type.key_attributes.size() != 1 || resource.find(type.key_attributes[0]) != nullptr) {
    return false;
  }
  return captures_whole_title(type, resource.title);
}

}  // namespace

Resource* Catalog::find(Name written_key, std::string_view title) const {
  const Name type_key = catalog_type_key(written_key);
  if (type_key == class_key()) {
    return find_exact(type_key, class_title(title));
  }
  if (Resource* found = find_exact(type_key, title)) return found;
  Resource asked;
  asked.type_key = type_key;
  asked.title = title;
  asked.native = find_native_type(type_key);
  if (asked.native == nullptr || title_is_key(asked)) return nullptr;
  const UniquenessKey key = uniqueness_key(asked, false);
  if (is_one_text(key)) return find_exact(type_key, key.values[0].as_string());
  return find_exact(type_key, joined(arena_, key));
}

Resource* Catalog::find_class(Name name) const {
  return find(class_key(), name.text());
}

void Catalog::add(Resource& resource) {
  add_to_index(resource);
  resource.number = static_cast<uint32_t>(resources_.size());
  resources_.push_back(&resource);
  add_aliases(resource);
}

void Catalog::remove(Resource& resource) {
  erase_if(index_, [&resource](const auto& entry) { return entry.second == &resource; });
  resources_.erase(resources_.begin() + resource.number);
  for (uint32_t i = resource.number; i < resources_.size(); ++i) resources_[i]->number = i;
  for (Resource* container : resource.containers) container->contained.remove(&resource);
  for (Resource* held : resource.contained) held->containers.remove(&resource);
  resource.containers.clear();
  resource.contained.clear();
}

void Catalog::check_aliases() {
  decltype(index_) index;
  std::swap(index_, index);
  for (Resource* resource : resources_) {
    if (resource->is_virtual && !resource->is_exported) continue;
    add_to_index(*resource);
    add_aliases(*resource);
  }
  std::swap(index_, index);
}

namespace {

// Adds a label at the declaration that another one collides with.
void label_first(Diagnostic& diagnostic, const Resource& first) {
  if (first.place.program == nullptr || first.place.expression == nullptr) return;
  diagnostic.labels.push_back({first.place.range(), "first declared here"});
}

}  // namespace

void Catalog::add_to_index(Resource& resource) {
  const Key key{resource.type_key, resource.title};
  const auto [entry, is_new] = index_.try_emplace(key, &resource);
  if (!is_new) {
    const std::string existing = location_text(*entry->second);
    const std::string here = location_text(resource);
    Diagnostic diagnostic =
        make_diagnostic(Issue::kDuplicateDeclaration, Range{},
                        {resource.reference(), existing.empty() ? "" : " at " + existing,
                         here.empty() ? "" : " " + here});
    label_first(diagnostic, *entry->second);
    throw EvaluationError(std::move(diagnostic));
  }
}

void Catalog::add_aliases(Resource& resource) {
  static const Name kAlias("alias");
  if (const ResourceParameter* aliases = resource.find(kAlias)) {
    const auto add_one = [&](Value alias) {
      if (!alias.is_string() || alias.as_string() == resource.title) return;
      const Resource* first = add_alias(resource, alias.as_string());
      if (first == nullptr) return;
      fail_alias(resource, *first, fmt::format("\"{}\"", alias.as_string()),
                 fmt::format("[\"{}\", \"{}\"]", resource.type.text(), alias.as_string()));
    };
    if (aliases->value.is_array()) {
      for (const Value alias : aliases->value.as_array()) add_one(alias);
    } else {
      add_one(aliases->value);
    }
  }
  if (resource.native != nullptr && !resource.native->is_isomorphic) return;
  if (resource.is_class() || title_is_key(resource)) return;
  const UniquenessKey key = uniqueness_key(resource, true);
  if (!key.any || holds_time(key)) return;
  if (is_one_text(key) && key.values[0].as_string() == resource.title) return;
  // A title that is not a string is a name of its own kind.
  if (key.values.size() == 1 && identical(key.values[0], resource.title_value)) return;
  const Resource* first = add_alias(
      resource, is_one_text(key) ? key.values[0].as_string() : arena_.copy(joined(arena_, key)));
  if (first == nullptr) return;
  fail_alias(
      resource, *first, fmt::format("[{}]", inspected(key.values)),
      fmt::format("[\"{}\", {}]", resource.type.text(), inspected(flattened(arena_, key.values))));
}

const Resource* Catalog::add_alias(Resource& resource, std::string_view key) {
  const auto [entry, is_new] = index_.try_emplace(Key{resource.type_key, key}, &resource);
  return is_new || entry->second == &resource ? nullptr : entry->second;
}

void Catalog::fail_alias(const Resource& resource, const Resource& first,
                         std::string_view shown_key, std::string_view shown_reference) {
  const std::string here = location_text(resource);
  std::string message =
      fmt::format("Cannot alias {} to {}{}; resource {} already declared", resource.reference(),
                  shown_key, here.empty() ? "" : " at " + here, shown_reference);
  const std::string existing = location_text(first);
  if (!existing.empty()) message.append(" ").append(existing);
  Diagnostic diagnostic = make_diagnostic(Issue::kAliasTaken, Range{}, {std::move(message)});
  label_first(diagnostic, first);
  throw EvaluationError(std::move(diagnostic));
}

void Catalog::add_containment(Resource& container, Resource& resource) {
  if (!contains(container)) return;
  container.contained.push(arena_, &resource);
  resource.containers.push(arena_, &container);
}

bool Catalog::is_contained(const Resource& container, const Resource& resource) const {
  return std::ranges::find(resource.containers, &container) != resource.containers.end();
}

void Catalog::add_class(std::string_view name) {
  classes_.push_back(name);
  if (!add_tag(arena_, tags_, name)) fail(Issue::kInvalidTag, {std::string(name)});
}

}  // namespace bunraku
