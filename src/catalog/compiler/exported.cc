// Exported collectors: this node's own exported resources, and those of other nodes from the store.
#include <fmt/format.h>

#include "base/formats/json.h"
#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "catalog/compiler/collectors.h"
#include "catalog/compiler/errors.h"
#include "functions/core/node_store.h"
#include "serialization/serialization.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

void write_tag_equality(JsonWriter& json, std::string_view tag) {
  json.begin_array();
  json.string("=");
  json.string("tag");
  json.string(tag);
  json.end_array();
}

// Titles and tags are fields of their own, not parameters.
void write_equality(JsonWriter& json, const Query& query) {
  static const Name kTitle("title");
  static const Name kTag("tag");
  if (query.attribute == kTag && query.value.is_string()) {
    write_tag_equality(json, downcase(query.value.as_string()));
    return;
  }
  json.begin_array();
  json.string("=");
  if (query.attribute == kTitle) {
    json.string("title");
  } else {
    json.begin_array();
    json.string("parameter");
    json.string(query.attribute.text());
    json.end_array();
  }
  write_rich_data(json, query.value, false, TypeForm::kText);
  json.end_array();
}

// Writes the query of a collector in PuppetDB's form. Its depth is that of the expression, which is
// bounded.
void write_filter(JsonWriter& json, const Query& query) {
  switch (query.kind) {
    case Query::Kind::kAnd:
    case Query::Kind::kOr:
      json.begin_array();
      json.string(query.kind == Query::Kind::kAnd ? "and" : "or");
      write_filter(json, *query.left);
      write_filter(json, *query.right);
      json.end_array();
      return;
    case Query::Kind::kEqual:
      write_equality(json, query);
      return;
    case Query::Kind::kNotEqual:
      json.begin_array();
      json.string("not");
      write_equality(json, query);
      json.end_array();
      return;
    case Query::Kind::kTag:
      json.begin_array();
      json.string("or");
      for (const Name tag : query.tags) write_tag_equality(json, tag.text());
      json.end_array();
      return;
  }
}

}  // namespace

// Realizes matching resources of this node, and imports those of other nodes from the store, each
// once.
void Collectors::find_exported(Collector& collector, std::vector<Resource*>& found) {
  NodeStore* store = NodeStore::current();
  if (store == nullptr) return;
  for (Resource* resource : declarations_.of_type(collector.type_key)) {
    if (resource->is_exported &&
        (collector.query == nullptr || matches(*collector.query, *resource))) {
      found.push_back(resource);
    }
  }
  if (collector.is_asked) return;
  collector.is_asked = true;
  std::string filter;
  if (collector.query != nullptr) {
    JsonWriter json(filter);
    write_filter(json, *collector.query);
  }
  const std::string type = capitalized_segments(collector.type_key.text());
  for (const ExportedResource& exported :
       store->find_exported(type, state_.node.name, filter, state_.arena)) {
    if (Resource* resource = import_exported(collector, exported)) found.push_back(resource);
  }
}

// Returns null when another collector has imported it already.
Resource* Collectors::import_exported(const Collector& collector,
                                      const ExportedResource& exported) {
  const std::string origin =
      fmt::format("{}|{}|{}", exported.certname, collector.type_key.text(), exported.title);
  if (state_.catalog.find(collector.type_key, exported.title) != nullptr) {
    if (imported_.contains(origin)) return nullptr;
    fail(Issue::kIllegalCollection,
         {fmt::format("A duplicate resource was found while collecting exported resources, with "
                      "the type and title {}[{}]",
                      capitalized_segments(collector.type_key.text()), exported.title)});
  }
  imported_.insert(origin);
  Scope& scope = *collector.scope;
  Resource& resource = declarations_.new_resource(collector.type_key, exported.title, scope);
  std::vector<ResourceParameter> parameters;
  for (const DataEntry& entry : exported.parameters.entries()) {
    ResourceParameter parameter;
    parameter.name = data_name(entry.key.text_value());
    parameter.value = bunraku::value_of(state_.arena, entry.value, "the store");
    parameter.source = resource.source;
    parameters.push_back(parameter);
  }
  declarations_.initialize(resource, parameters);
  if (resource.definition != nullptr) declarations_.prepare_declaration(scope, resource);
  declarations_.add_resource(scope, resource);
  return &resource;
}

}  // namespace bunraku
