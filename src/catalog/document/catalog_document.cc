// Reading and writing of catalogs as JSON.
#include "catalog/document/catalog_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/document/catalog_writer.h"

namespace bunraku {
namespace {

std::string_view text_of(const DataNode* node) {
  return node != nullptr && node->is(DataKind::kString) ? node->text_value() : std::string_view();
}

bool is_true(const DataNode* node) {
  return node != nullptr && node->is(DataKind::kBoolean) && node->boolean_value();
}

const DataNode& member(const DataNode& node, std::string_view key, DataKind kind,
                       std::string_view what) {
  const DataNode* found = node.is(DataKind::kHash) ? node.find(key) : nullptr;
  if (found == nullptr || !found->is(kind)) {
    throw DataError(fmt::format("{} without \"{}\"", what, key));
  }
  return *found;
}

std::vector<std::string_view> texts_of(const DataNode* list) {
  std::vector<std::string_view> all;
  if (list == nullptr || !list->is(DataKind::kArray)) return all;
  for (const DataNode& item : list->items()) all.push_back(text_of(&item));
  return all;
}

// Returns whether a value contains a Sensitive one. The depth is bounded by the JSON reader.
bool holds_sensitive(const DataNode& value) {
  if (value.is(DataKind::kArray)) {
    return std::any_of(value.items().begin(), value.items().end(), holds_sensitive);
  }
  if (!value.is(DataKind::kHash)) return false;
  if (text_of(value.find("__ptype")) == "Sensitive") return true;
  return std::any_of(value.entries().begin(), value.entries().end(),
                     [](const DataEntry& entry) { return holds_sensitive(entry.value); });
}

bool comes_before(const DataNode& node, std::string_view first, std::string_view second) {
  for (const DataEntry& entry : node.entries()) {
    const std::string_view key = text_of(&entry.key);
    if (key == first) return true;
    if (key == second) return false;
  }
  return false;
}

DocumentResource read_resource(Arena& arena, const DataNode& node) {
  DocumentResource resource;
  resource.type = member(node, "type", DataKind::kString, "a resource").text_value();
  if (resource.type.empty()) throw DataError("a resource without a type");
  resource.title = member(node, "title", DataKind::kString, "a resource").text_value();
  resource.reference = arena.copy(fmt::format("{}[{}]", resource.type, resource.title));
  resource.kind = text_of(node.find("kind"));
  resource.is_kind_first = comes_before(node, "kind", "exported");
  resource.file = text_of(node.find("file"));
  if (const DataNode* line = node.find("line"); line != nullptr && line->is(DataKind::kInteger)) {
    resource.line = line->integer_value();
  }
  resource.is_exported = is_true(node.find("exported"));
  resource.is_virtual = is_true(node.find("virtual"));
  resource.tags = texts_of(node.find("tags"));
  resource.sensitive = texts_of(node.find("sensitive_parameters"));
  const DataNode* parameters = node.find("parameters");
  if (parameters == nullptr || !parameters->is(DataKind::kHash)) return resource;
  for (const DataEntry& entry : parameters->entries()) {
    resource.add(text_of(&entry.key), entry.value);
  }
  return resource;
}

void read(CatalogDocument& catalog, const DataNode& node) {
  if (!node.is(DataKind::kHash)) throw DataError("it is not an object");
  catalog.name = text_of(node.find("name"));
  catalog.environment = text_of(node.find("environment"));
  if (const DataNode* version = node.find("version")) catalog.version = *version;
  if (const DataNode* id = node.find("code_id"); id != nullptr && id->is(DataKind::kString)) {
    catalog.code_id = id->text_value();
  }
  catalog.catalog_uuid = text_of(node.find("catalog_uuid"));
  // Old catalogs have neither the format nor the kinds of resources.
  const DataNode* format = node.find("catalog_format");
  catalog.catalog_format =
      format != nullptr && format->is(DataKind::kInteger) ? format->integer_value() : 1;
  catalog.tags = texts_of(node.find("tags"));
  catalog.classes = texts_of(node.find("classes"));
  for (const DataNode& resource :
       member(node, "resources", DataKind::kArray, "an object").items()) {
    catalog.resources.push_back(read_resource(catalog.arena, resource));
  }
  for (const DataNode& edge : member(node, "edges", DataKind::kArray, "an object").items()) {
    catalog.edges.push_back({member(edge, "source", DataKind::kString, "an edge").text_value(),
                             member(edge, "target", DataKind::kString, "an edge").text_value()});
  }
  if (const DataNode* metadata = node.find("metadata")) catalog.metadata = *metadata;
  if (const DataNode* metadata = node.find("recursive_metadata")) {
    catalog.recursive_metadata = *metadata;
  }
}

void write_texts(JsonWriter& json, const JsonKey& key, const std::vector<std::string_view>& texts) {
  json.key(key);
  json.strings(texts);
}

}  // namespace

void write_resource(JsonWriter& json, const DocumentResource& resource) {
  static constexpr JsonKey kType("type"), kTitle("title"), kTags("tags"), kFile("file"),
      kLine("line"), kKind("kind"), kExported("exported"), kVirtual("virtual"),
      kParameters("parameters"), kSensitive("sensitive_parameters");
  json.begin_object();
  json.member(kType, resource.type);
  json.member(kTitle, resource.title);
  write_texts(json, kTags, resource.tags);
  // Code that is not from a file has lines and an empty file name.
  if (!resource.file.empty() || resource.line > 0) json.member(kFile, resource.file);
  if (resource.line > 0) json.member(kLine, resource.line);
  const bool has_kind = !resource.kind.empty();
  if (has_kind && resource.is_kind_first) json.member(kKind, resource.kind);
  json.key(kExported);
  json.boolean(resource.is_exported);
  if (has_kind && !resource.is_kind_first) json.member(kKind, resource.kind);
  if (resource.is_virtual) {
    json.key(kVirtual);
    json.boolean(true);
  }
  if (!resource.parameters.empty()) {
    json.key(kParameters);
    json.begin_object();
    for (const DocumentParameter& parameter : resource.parameters) {
      json.key(parameter.name);
      json.data(parameter.value);
    }
    json.end_object();
  }
  if (!resource.sensitive.empty()) write_texts(json, kSensitive, resource.sensitive);
  json.end_object();
}

bool DocumentParameter::is_relationship() const {
  return name == "before" || name == "require" || name == "notify" || name == "subscribe";
}

const DocumentParameter* DocumentResource::find(std::string_view wanted) const {
  const auto found = std::ranges::find_if(
      parameters, [&](const DocumentParameter& parameter) { return parameter.name == wanted; });
  return found == parameters.end() ? nullptr : &*found;
}

void DocumentResource::add(std::string_view name, const DataNode& value) {
  const bool is_marked = std::ranges::find(sensitive, name) != sensitive.end();
  parameters.push_back({name, value, is_marked || holds_sensitive(value)});
}

CatalogDocument::CatalogDocument(std::string_view text, std::string_view file_name) {
  try {
    const DataNode root = read_json(arena.copy(text), arena);
    const DataNode* data = root.is(DataKind::kHash) ? root.find("data") : nullptr;
    read(*this, data != nullptr && data->find("resources") != nullptr ? *data : root);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{} is no catalog: {}", file_name, error.what()));
  }
}

void begin_catalog(JsonWriter& json, const CatalogDocument& catalog) {
  json.begin_object();
  write_texts(json, JsonKey("tags"), catalog.tags);
  json.member("name", catalog.name);
  json.key("version");
  json.data(catalog.version);
  json.key("code_id");
  catalog.code_id ? json.string(*catalog.code_id) : json.null();
  json.member("catalog_uuid", catalog.catalog_uuid);
  json.member("catalog_format", catalog.catalog_format);
  json.member("environment", catalog.environment);
  json.key("resources");
  json.begin_array();
}

void end_catalog(JsonWriter& json, const CatalogDocument& catalog) {
  json.end_array();
  static constexpr JsonKey kSource("source"), kTarget("target");
  json.key("edges");
  json.begin_array();
  for (const ContainmentEdge& edge : catalog.edges) {
    json.begin_object();
    json.member(kSource, edge.source);
    json.member(kTarget, edge.target);
    json.end_object();
  }
  json.end_array();
  write_texts(json, JsonKey("classes"), catalog.classes);
  for (const auto& [key, node] : {std::pair("metadata", &catalog.metadata),
                                  std::pair("recursive_metadata", &catalog.recursive_metadata)}) {
    if (node->is(DataKind::kNull)) continue;
    json.key(key);
    json.data(*node);
  }
  json.end_object();
}

void write_catalog(JsonWriter& json, const CatalogDocument& catalog) {
  begin_catalog(json, catalog);
  for (const DocumentResource& resource : catalog.resources) write_resource(json, resource);
  end_catalog(json, catalog);
}

}  // namespace bunraku
