// Nodes: classification and facts.
#include <fmt/format.h>

#include "base/diagnostics/diagnostic.h"
#include "base/formats/json.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "compilation/service.h"
#include "serialization/serialization.h"
#include "server/api/routes.h"
#include "server/shared.h"
#include "site/node/facts.h"

namespace bunraku::server {
namespace {

void write_classes(JsonWriter& json, const TargetNode& node) {
  if (node.classes.empty()) return;
  json.key("classes");
  node.classes_have_parameters ? json.begin_object() : json.begin_array();
  for (const NodeClass& one : node.classes) {
    if (!node.classes_have_parameters) {
      json.string(one.name);
      continue;
    }
    json.key(one.name);
    write_rich_data(json, one.parameters, false, TypeForm::kText);
  }
  node.classes_have_parameters ? json.end_object() : json.end_array();
}

// Parameters of the classifier take precedence over facts of the same name.
void write_parameters(JsonWriter& json, Arena& arena, const TargetNode& node) {
  HashBuilder all(arena);
  if (node.parameters.is_hash()) all.set_all(node.parameters.as_hash());
  if (node.facts.is_hash()) {
    for (const HashEntry& fact : node.facts.as_hash()) {
      if (!node.parameters.is_hash() || node.parameters.as_hash().find(fact.key) == nullptr) {
        all.set(fact.key, fact.value);
      }
    }
  }
  const Value merged = all.finish();
  if (merged.as_hash().size == 0) return;
  json.key("parameters");
  write_rich_data(json, merged, false, TypeForm::kText);
}

void check_known_environment(const Call& call, const std::string& name) {
  if (!call.shared.code->has_environment(name)) {
    throw ApiError(404, fmt::format("Could not find environment '{}'", name));
  }
}

// Throws ApiError for a node that the classifier does not know or assigns to a missing environment.
void classify(const Call& call, Arena& arena, TargetNode& node) {
  const std::shared_ptr<compilation::Service> code = call.shared.code->current();
  try {
    code->describe(arena, node, Value::undef());
  } catch (const EvaluationError& error) {
    if (error.diagnostic().issue == Issue::kUnknownNode) {
      throw ApiError(404, fmt::format("Could not find node {}", node.name), "RESOURCE_NOT_FOUND");
    }
    const std::string prefix = fmt::format("Failed when searching for node {}: ", node.name);
    const std::string text = error.what();
    throw ApiError(500, text.starts_with(prefix) ? text.substr(prefix.size()) : text);
  }
  if (!call.shared.code->has_environment(std::string(node.environment))) {
    throw ApiError(500,
                   fmt::format("Could not find a directory environment named '{}' anywhere in the "
                               "path: {}. Does the directory exist?",
                               node.environment, code->settings().text("environmentpath")));
  }
}

}  // namespace

net::Response answer_node(const Call& call, const std::string& key) {
  check_node_name(key);
  const std::string requested = environment_parameter(call);
  const std::string_view type = negotiate(call.request, data_types());
  check_known_environment(call, requested);
  Arena arena;
  TargetNode node;
  node.name = key;
  node.environment = requested;
  std::string text;
  try {
    const std::string path = facts_path(call, key);
    node.facts =
        is_file(path) ? read_facts(arena, read_file(path), path) : HashBuilder(arena, 0).finish();
    classify(call, arena, node);
    JsonWriter json(text);
    json.begin_object();
    json.member("name", key);
    json.member("environment", node.environment);
    write_classes(json, node);
    write_parameters(json, arena, node);
    json.end_object();
  } catch (const EvaluationError& error) {
    throw ApiError(500, error.what());
  }
  return data_answer(type, std::move(text));
}

net::Response store_facts(const Call& call, const std::string& key) {
  check_node_name(key);
  const std::string& environment = environment_parameter(call);
  negotiate(call.request, data_types());
  Arena arena;
  const DataNode data = data_body(call, arena);
  check_known_environment(call, environment);
  const DataNode* name = data.find("name");
  const DataNode* values = data.find("values");
  if (name == nullptr || !name->is(DataKind::kString) || values == nullptr ||
      !values->is(DataKind::kHash)) {
    throw ApiError(400, "The request body is invalid: it is no object with 'name' and 'values'");
  }
  if (name->text_value() != key) {
    throw ApiError(400, fmt::format("Instance name \"{}\" does not match requested key \"{}\"",
                                    name->text_value(), key));
  }
  std::string text;
  JsonWriter(text).data(data);
  save_facts(call, key, text);
  return json_answer(200, "0");
}

}  // namespace bunraku::server
