// Connects compilations with the store: queries, and commands with results.
#include "compilation/stored_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/formats/json.h"
#include "base/system/reads.h"
#include "catalog/compiler/catalog_json.h"
#include "compilation/catalog_compilation.h"
#include "compilation/fleet_exports.h"
#include "serialization/serialization.h"
#include "store/commands/command.h"
#include "store/query/answer.h"
#include "store/time_text.h"

namespace bunraku::compilation {
namespace {

[[noreturn]] void fail_store(const std::string& doing, const store::StoreError& error) {
  throw EvaluationError(
      make_diagnostic(Issue::kUnusableValue, Range{}, {fmt::format("{}: {}", doing, error.what())}),
      ErrorKind::kError);
}

void store_payload(store::Store& store, const char* name, int64_t version,
                   const std::string& certname, std::string body) {
  store::Command command;
  command.name = name;
  command.version = version;
  command.certname = certname;
  command.body = std::move(body);
  command.received = store::now_microseconds();
  try {
    store::store_command(store, command);
  } catch (const store::StoreError& error) {
    fail_store(fmt::format("Failed to submit '{}' command for {} to the store", name, certname),
               error);
  }
}

void write_head(JsonWriter& json, Compilation& compilation, const std::string& producer) {
  json.member("certname", compilation.node().name);
  json.member("environment", compilation.environment().name());
  json.member("producer_timestamp", store::time_text(store::now_microseconds()));
  json.key("producer");
  if (producer.empty()) {
    json.null();
  } else {
    json.string(producer);
  }
}

// The type and title of a reference; both empty for other text.
std::pair<std::string_view, std::string_view> split(std::string_view reference) {
  const size_t bracket = reference.find('[');
  if (bracket == std::string_view::npos || !reference.ends_with(']')) return {};
  return {reference.substr(0, bracket),
          reference.substr(bracket + 1, reference.size() - bracket - 2)};
}

struct Relation {
  std::string_view parameter;
  std::string_view name;
  bool is_reversed;  // the other resource comes first
};
constexpr std::array<Relation, 4> kRelations{{{"before", "before", false},
                                              {"require", "required-by", true},
                                              {"notify", "notifies", false},
                                              {"subscribe", "subscription-of", true}}};

// Writes the payload of a catalog.
class CatalogPayload {
 public:
  explicit CatalogPayload(const CatalogDocument& catalog) : catalog_(catalog) {
    for (const DocumentResource& resource : catalog.resources) {
      if (!is_kept(resource)) continue;
      known_.emplace(std::string(resource.reference), &resource);
      add_aliases(resource);
    }
  }

  void write(JsonWriter& json) {
    json.key("resources");
    json.begin_array();
    for (const DocumentResource& resource : catalog_.resources) {
      if (is_kept(resource)) write_resource(json, resource);
    }
    json.end_array();
    json.key("edges");
    json.begin_array();
    for (const ContainmentEdge& edge : catalog_.edges) {
      write_edge(json, edge.source, edge.target, "contains");
    }
    for (const DocumentResource& resource : catalog_.resources) {
      if (!resource.is_virtual) write_relations(json, resource);
    }
    json.end_array();
  }

  void write_exported(JsonWriter& json) {
    json.begin_array();
    for (const DocumentResource& resource : catalog_.resources) {
      if (resource.is_exported) write_resource(json, resource);
    }
    json.end_array();
  }

 private:
  static bool is_kept(const DocumentResource& resource) {
    return !resource.is_virtual || resource.is_exported;
  }
  static bool is_main(const DocumentResource& resource) {
    return resource.reference == "Class[Main]" || resource.reference == "Class[main]" ||
           resource.reference == "Stage[main]";
  }

  void add_aliases(const DocumentResource& resource) {
    const DocumentParameter* alias = resource.find("alias");
    if (alias == nullptr) return;
    const auto add = [&](const DataNode& name) {
      if (!name.is(DataKind::kString)) return;
      aliases_.emplace(fmt::format("{}[{}]", resource.type, name.text_value()), &resource);
    };
    if (alias->value.is(DataKind::kArray)) {
      for (const DataNode& name : alias->value.items()) add(name);
    } else {
      add(alias->value);
    }
  }

  void write_resource(JsonWriter& json, const DocumentResource& resource) {
    json.begin_object();
    json.member("type", resource.type);
    json.member("title", resource.title);
    json.key("exported"), json.boolean(resource.is_exported);
    json.key("file");
    if (resource.file.empty()) {
      json.null();
    } else {
      json.string(resource.file);
    }
    json.key("line");
    if (resource.line == 0) {
      json.null();
    } else {
      json.integer(resource.line);
    }
    json.key("tags");
    json.begin_array();
    for (const std::string_view tag : resource.tags) json.string(tag);
    json.end_array();
    json.key("parameters");
    json.begin_object();
    if (is_main(resource) && resource.find("alias") == nullptr) {
      json.key("alias");
      json.begin_array();
      json.string("main");
      json.end_array();
    }
    for (const DocumentParameter& parameter : resource.parameters) {
      if (parameter.is_sensitive) continue;  // secrets are not visible to other nodes
      json.key(parameter.name);
      if (parameter.name == "alias" && parameter.value.is(DataKind::kString)) {
        json.begin_array();
        json.data(parameter.value);
        json.end_array();
      } else {
        json.data(parameter.value);
      }
    }
    json.end_object();
    json.end_object();
  }

  const DocumentResource* find(std::string reference) const {
    for (int tries = 0; tries < 2; ++tries) {
      if (const auto found = known_.find(reference); found != known_.end()) return found->second;
      if (const auto found = aliases_.find(reference); found != aliases_.end()) {
        return found->second;
      }
      // File[/a/] is the same as File[/a].
      if (!reference.starts_with("File[") || !reference.ends_with("/]")) break;
      reference.erase(reference.size() - 2, 1);
    }
    return nullptr;
  }

  void write_relations(JsonWriter& json, const DocumentResource& resource) {
    for (const Relation& relation : kRelations) {
      const DocumentParameter* parameter = resource.find(relation.parameter);
      if (parameter == nullptr) continue;
      const auto write_one = [&](const DataNode& value) {
        if (!value.is(DataKind::kString)) return;
        const DocumentResource* other = find(std::string(value.text_value()));
        if (other == nullptr || (other->is_virtual && other->is_exported)) {
          fail_relation(resource, relation, value.text_value(), other != nullptr);
        }
        if (relation.is_reversed) {
          write_edge(json, other->reference, resource.reference, relation.name);
        } else {
          write_edge(json, resource.reference, other->reference, relation.name);
        }
      };
      if (parameter->value.is(DataKind::kArray)) {
        for (const DataNode& item : parameter->value.items()) write_one(item);
      } else {
        write_one(parameter->value);
      }
    }
  }

  [[noreturn]] static void fail_relation(const DocumentResource& resource, const Relation& relation,
                                         std::string_view other, bool is_exported) {
    throw EvaluationError(
        make_diagnostic(Issue::kUnusableValue, Range{},
                        {fmt::format("Invalid relationship: {} {{ {} => {} }}, because {} {}",
                                     resource.reference, relation.parameter, other, other,
                                     is_exported ? "is exported but not collected"
                                                 : "doesn't seem to be in the catalog")}),
        ErrorKind::kError);
  }

  void write_edge(JsonWriter& json, std::string_view source, std::string_view target,
                  std::string_view relationship) {
    const bool is_whole =
        known_.contains(std::string(source)) && known_.contains(std::string(target));
    if (!is_whole ||
        !written_.insert(fmt::format("{}\n{}\n{}", source, target, relationship)).second) {
      return;
    }
    json.begin_object();
    for (const auto& [key, reference] :
         {std::pair("source", source), std::pair("target", target)}) {
      const auto [type, title] = split(reference);
      json.key(key);
      json.begin_object();
      json.member("type", type);
      json.member("title", title);
      json.end_object();
    }
    json.member("relationship", relationship);
    json.end_object();
  }

  const CatalogDocument& catalog_;
  std::map<std::string, const DocumentResource*> known_, aliases_;
  std::set<std::string> written_;
};

}  // namespace

std::vector<ExportedResource> StoredNodes::find_exported(std::string_view type,
                                                         std::string_view own,
                                                         const std::string& filter, Arena& arena) {
  report_untracked("an exported collector asks the store");
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  json.string("and");
  json.raw(R"(["=","exported",true])");
  json.begin_array();
  json.string("="), json.string("type"), json.string(type);
  json.end_array();
  json.begin_array();
  json.string("not");
  json.begin_array();
  json.string("="), json.string("certname"), json.string(own);
  json.end_array();
  json.end_array();
  if (!filter.empty()) json.raw(filter);
  json.end_array();
  try {
    store::QueryContext context;
    context.hides_inactive = true;
    store::Paging paging;
    paging.order = {{"certname", false}, {"title", false}};
    Arena query;
    const std::string extract =
        fmt::format(R"(["extract",["certname","title","parameters"],{}])", text);
    const store::CompiledQuery compiled = store::compile_query(
        *store::find_entity("resources"), store::read_ast(extract, query), paging, context);
    const DataNode rows = read_json(arena.copy(store::answer_query(*store_, compiled).json), arena);
    std::vector<ExportedResource> found;
    for (const DataNode& row : rows.items()) {
      found.push_back({row.find("certname")->text_value(), row.find("title")->text_value(),
                       *row.find("parameters")});
    }
    return found;
  } catch (const store::StoreError& error) {
    fail_store("Could not retrieve resources from the store", error);
  }
}

DataNode StoredNodes::query(const std::string& text, Arena& arena) {
  try {
    const store::Answer answer = store::answer_query(*store_, store::compile_text_query(text));
    return read_json(arena.copy(answer.json), arena);
  } catch (const store::StoreError& error) {
    fail_store("Failed to execute the query", error);
  }
}

void save_facts(store::Store& store, Compilation& compilation, const std::string& producer) {
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  write_head(json, compilation, producer);
  json.key("values");
  json.begin_object();
  const TargetNode& node = compilation.node();
  if (node.facts.is_hash()) {
    for (const HashEntry& entry : node.facts.as_hash()) {
      if (!entry.key.is_string() || entry.key.as_string() == "_puppet_inventory_1") continue;
      json.key(entry.key.as_string());
      write_rich_data(json, entry.value, false, TypeForm::kText);
    }
  }
  json.key("trusted");
  write_rich_data(json, node.trusted, false, TypeForm::kText);
  json.end_object();
  json.end_object();
  store_payload(store, "replace facts", 5, std::string(node.name), std::move(body));
}

namespace {

// The catalog with exported resources, and with values as text.
CatalogDocument whole_catalog(Compilation& compilation) {
  CatalogForm form;
  form.include_virtual = true;
  CatalogJsonOptions options = catalog_options(compilation, form);
  options.rich_data = false;
  return catalog_document(compilation.compiler(), options);
}

}  // namespace

std::string exported_resources(Compilation& compilation) {
  const bool exports =
      std::ranges::any_of(compilation.compiler().catalog().resources(),
                          [](const Resource* resource) { return resource->is_exported; });
  if (!exports) return {};
  const CatalogDocument catalog = whole_catalog(compilation);
  std::string text;
  JsonWriter json(text);
  CatalogPayload(catalog).write_exported(json);
  return text;
}

void save_catalog(store::Store& store, Compilation& compilation, const std::string& producer) {
  const CatalogDocument catalog = whole_catalog(compilation);
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  write_head(json, compilation, producer);
  json.key("version");
  if (catalog.version.is(DataKind::kInteger)) {
    json.string(std::to_string(catalog.version.integer_value()));
  } else {
    json.data(catalog.version);
  }
  json.key("transaction_uuid"), json.null();
  json.member("catalog_uuid", catalog.catalog_uuid);
  json.key("code_id");
  if (catalog.code_id) {
    json.string(*catalog.code_id);
  } else {
    json.null();
  }
  json.key("job_id"), json.null();
  CatalogPayload(catalog).write(json);
  json.end_object();
  store_payload(store, "replace catalog", 9, std::string(compilation.node().name), std::move(body));
}

}  // namespace bunraku::compilation
