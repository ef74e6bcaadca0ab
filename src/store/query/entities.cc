// The table of entities.
#include "store/query/entities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bunraku::store {
namespace {

using K = FieldKind;

// INNER JOIN is written only for tables with exactly one row for each row of the preceding tables,
// so that a statement without their columns can leave them out.
constexpr std::string_view kFactFrom =
    "fact f INNER JOIN node n ON n.id = f.node_id INNER JOIN factset fs ON fs.node_id = f.node_id "
    "LEFT JOIN environment e ON e.id = fs.environment_id";

std::vector<Entity> make_entities() {
  std::vector<Entity> all;
  all.push_back(
      {"nodes",
       "node n LEFT JOIN catalog c ON c.node_id = n.id LEFT JOIN environment ce ON ce.id = "
       "c.environment_id LEFT JOIN factset fs ON fs.node_id = n.id LEFT JOIN environment fe ON "
       "fe.id = fs.environment_id LEFT JOIN report r ON r.id = n.latest_report_id LEFT JOIN "
       "environment re ON re.id = r.environment_id",
       "",
       "n.certname",
       {{"certname", K::kText, "n.certname"},
        {"deactivated", K::kText, "bk_time(n.deactivated)"},
        {"expired", K::kTime, "n.expired"},
        {"facts_environment", K::kText, "fe.name"},
        {"catalog_environment", K::kText, "ce.name"},
        {"report_environment", K::kText, "re.name"},
        {"facts_timestamp", K::kTime, "fs.timestamp"},
        {"catalog_timestamp", K::kTime, "c.timestamp"},
        {"report_timestamp", K::kTime, "r.end_time"},
        {"latest_report_hash", K::kText, "r.hash"},
        {"latest_report_noop", K::kBoolean, "r.noop"},
        {"latest_report_noop_pending", K::kBoolean, "r.noop_pending"},
        {"latest_report_status", K::kText, "r.status"},
        {"latest_report_corrective_change", K::kBoolean, "r.corrective_change"},
        {"latest_report_job_id", K::kText, "r.job_id"},
        {"cached_catalog_status", K::kText, "r.cached_catalog_status"},
        {"expires_facts", K::kBoolean, "coalesce(n.expires_facts, true)", true},
        {"expires_facts_updated", K::kTime, "n.expires_facts_updated", true}}});
  all.push_back({"facts",
                 kFactFrom,
                 "",
                 "n.certname, f.name",
                 {{"certname", K::kText, "n.certname"},
                  {"environment", K::kText, "e.name"},
                  {"name", K::kText, "f.name"},
                  {"value", K::kValue, "f.value"}}});
  all.push_back(
      {"fact_contents",
       "fact f INNER JOIN node n ON n.id = f.node_id INNER JOIN factset fs ON fs.node_id = "
       "f.node_id LEFT JOIN environment e ON e.id = fs.environment_id CROSS JOIN "
       "bk_leaves(f.name, f.value) l",
       "",
       "n.certname, l.path",
       {{"certname", K::kText, "n.certname"},
        {"environment", K::kText, "e.name"},
        {"name", K::kText, "f.name"},
        {"path", K::kPath, "l.path"},
        {"value", K::kValue, "l.value"}}});
  all.push_back({"fact_paths",
                 "fact_path fp",
                 "",
                 "fp.path, fp.type",
                 {{"path", K::kPath, "bk_json(fp.path)"},
                  {"type", K::kText, "fp.type"},
                  {"name", K::kText, "fp.name"},
                  {"depth", K::kNumber, "fp.depth", true}},
                 false});
  all.push_back(
      {"factsets",
       "factset fs INNER JOIN node n ON n.id = fs.node_id LEFT JOIN environment e ON e.id = "
       "fs.environment_id LEFT JOIN producer p ON p.id = fs.producer_id",
       "",
       "n.certname",
       {{"certname", K::kText, "n.certname"},
        {"environment", K::kText, "e.name"},
        {"hash", K::kText, "fs.hash"},
        {"producer", K::kText, "p.name"},
        {"timestamp", K::kTime, "fs.timestamp"},
        {"producer_timestamp", K::kTime, "fs.producer_timestamp"},
        {"facts", K::kNested, "n.id", false, Nested::kFactsetFacts},
        {"package_inventory", K::kNested, "n.id", true, Nested::kPackageInventory}}});
  all.push_back(
      {"inventory",
       "factset fs INNER JOIN node n ON n.id = fs.node_id LEFT JOIN environment e ON e.id = "
       "fs.environment_id",
       "",
       "n.certname",
       {{"certname", K::kText, "n.certname"},
        {"environment", K::kText, "e.name"},
        {"timestamp", K::kTime, "fs.timestamp"},
        {"facts", K::kFacts, "n.id"},
        {"trusted", K::kTrusted,
         "(SELECT ft.value FROM fact ft WHERE ft.node_id = n.id AND ft.name = "
         "'trusted')"}}});
  all.push_back(
      {"resources",
       "catalog_resource r INNER JOIN resource_content rp ON rp.id = r.content_id INNER JOIN "
       "tag_set "
       "t ON t.id = r.tag_set_id INNER JOIN node n ON n.id = r.node_id INNER JOIN catalog c ON "
       "c.node_id = r.node_id LEFT JOIN environment e ON e.id = c.environment_id LEFT JOIN file fl "
       "ON fl.id = r.file_id",
       "",
       "n.certname, rp.type, rp.title",
       {{"certname", K::kText, "n.certname"},
        {"environment", K::kText, "e.name"},
        {"resource", K::kText, "rp.identity"},
        {"type", K::kText, "rp.type"},
        {"title", K::kText, "rp.title"},
        {"tags", K::kArray, "t.tags"},
        {"tag", K::kArray, "t.tags", true},
        {"exported", K::kBoolean, "r.exported"},
        {"file", K::kText, "fl.name"},
        {"line", K::kNumber, "r.line"},
        {"parameters", K::kParameters, "rp.parameters"}}});
  all.push_back(
      {"edges",
       "catalog_edges c INNER JOIN node n ON n.id = c.node_id CROSS JOIN bk_edges(c.edges) g",
       "",
       "n.certname, g.source_type, g.source_title, g.target_type, g.target_title",
       {{"certname", K::kText, "n.certname"},
        {"relationship", K::kText, "g.relationship"},
        {"source_type", K::kText, "g.source_type"},
        {"source_title", K::kText, "g.source_title"},
        {"target_type", K::kText, "g.target_type"},
        {"target_title", K::kText, "g.target_title"}}});
  all.push_back(
      {"catalogs",
       "catalog c INNER JOIN node n ON n.id = c.node_id LEFT JOIN environment e ON e.id = "
       "c.environment_id LEFT JOIN producer p ON p.id = c.producer_id",
       "",
       "n.certname",
       {{"certname", K::kText, "n.certname"},
        {"version", K::kText, "c.version"},
        {"hash", K::kText, "c.hash"},
        {"transaction_uuid", K::kText, "c.transaction_uuid"},
        {"catalog_uuid", K::kText, "c.catalog_uuid"},
        {"code_id", K::kText, "c.code_id"},
        {"job_id", K::kText, "c.job_id"},
        {"environment", K::kText, "e.name"},
        {"producer", K::kText, "p.name"},
        {"producer_timestamp", K::kTime, "c.producer_timestamp"},
        {"resources", K::kNested, "n.id", false, Nested::kCatalogResources},
        {"edges", K::kNested, "n.id", false, Nested::kCatalogEdges}}});
  all.push_back({"catalog_inputs",
                 "node n",
                 "n.inputs_timestamp IS NOT NULL",
                 "n.certname",
                 {{"certname", K::kText, "n.certname"},
                  {"producer_timestamp", K::kTime, "n.inputs_timestamp"},
                  {"catalog_uuid", K::kText, "n.inputs_uuid"},
                  {"inputs", K::kNested, "n.id", false, Nested::kCatalogInputs}}});
  all.push_back({"catalog_input_contents",
                 "catalog_input ci INNER JOIN node n ON n.id = ci.node_id",
                 "",
                 "n.certname, ci.type, ci.name",
                 {{"certname", K::kText, "n.certname"},
                  {"producer_timestamp", K::kTime, "n.inputs_timestamp"},
                  {"catalog_uuid", K::kText, "n.inputs_uuid"},
                  {"type", K::kText, "ci.type"},
                  {"name", K::kText, "ci.name"}}});
  all.push_back(
      {"reports",
       "report r INNER JOIN node n ON n.id = r.node_id LEFT JOIN environment e ON e.id = "
       "r.environment_id LEFT JOIN producer p ON p.id = r.producer_id",
       "",
       "r.id",
       {{"hash", K::kText, "r.hash"},
        {"certname", K::kText, "n.certname"},
        {"puppet_version", K::kText, "r.puppet_version"},
        {"report_format", K::kNumber, "r.report_format"},
        {"configuration_version", K::kText, "r.configuration_version"},
        {"start_time", K::kTime, "r.start_time"},
        {"end_time", K::kTime, "r.end_time"},
        {"producer_timestamp", K::kTime, "r.producer_timestamp"},
        {"receive_time", K::kTime, "r.receive_time"},
        {"transaction_uuid", K::kText, "r.transaction_uuid"},
        {"catalog_uuid", K::kText, "r.catalog_uuid"},
        {"code_id", K::kText, "r.code_id"},
        {"job_id", K::kText, "r.job_id"},
        {"cached_catalog_status", K::kText, "r.cached_catalog_status"},
        {"environment", K::kText, "e.name"},
        {"producer", K::kText, "p.name"},
        {"status", K::kText, "r.status"},
        {"type", K::kText, "r.type"},
        {"noop", K::kBoolean, "r.noop"},
        {"noop_pending", K::kBoolean, "r.noop_pending"},
        {"corrective_change", K::kBoolean, "r.corrective_change"},
        {"resource_events", K::kNested, "r.id", false, Nested::kReportEvents},
        {"metrics", K::kNested, "r.id", false, Nested::kReportMetrics},
        {"logs", K::kNested, "r.id", false, Nested::kReportLogs},
        {"latest_report?", K::kBoolean, "(r.id = coalesce(n.latest_report_id, 0))", true}}});
  all.push_back(
      {"events",
       "event v JOIN report r ON r.id = v.report_id INNER JOIN node n ON n.id = r.node_id LEFT "
       "JOIN environment e ON e.id = r.environment_id",
       "",
       "v.report_id, v.number",
       {{"certname", K::kText, "n.certname"},
        {"configuration_version", K::kText, "r.configuration_version"},
        {"run_start_time", K::kTime, "r.start_time"},
        {"run_end_time", K::kTime, "r.end_time"},
        {"report_receive_time", K::kTime, "r.receive_time"},
        {"report", K::kText, "r.hash"},
        {"status", K::kText, "v.status"},
        {"timestamp", K::kTime, "v.timestamp"},
        {"resource_type", K::kText, "v.resource_type"},
        {"resource_title", K::kText, "v.resource_title"},
        {"property", K::kText, "v.property"},
        {"name", K::kText, "v.name"},
        {"new_value", K::kValue, "v.new_value"},
        {"old_value", K::kValue, "v.old_value"},
        {"message", K::kText, "v.message"},
        {"file", K::kText, "v.file"},
        {"line", K::kNumber, "v.line"},
        {"containment_path", K::kArray, "v.containment_path"},
        {"containing_class", K::kText, "v.containing_class"},
        {"corrective_change", K::kBoolean, "v.corrective_change"},
        {"environment", K::kText, "e.name"},
        {"latest_report?", K::kBoolean, "(v.report_id = coalesce(n.latest_report_id, 0))", true}}});
  all.push_back(
      {"environments", "environment e", "", "e.name", {{"name", K::kText, "e.name"}}, false});
  all.push_back({"producers", "producer p", "", "p.name", {{"name", K::kText, "p.name"}}, false});
  all.push_back({"packages",
                 "package pk",
                 "",
                 "pk.name, pk.version, pk.provider",
                 {{"package_name", K::kText, "pk.name"},
                  {"version", K::kText, "pk.version"},
                  {"provider", K::kText, "pk.provider"}},
                 false});
  all.push_back(
      {"package_inventory",
       "node_package np INNER JOIN package pk ON pk.id = np.package_id INNER JOIN node n ON "
       "n.id = np.node_id",
       "",
       "n.certname, pk.name, pk.version, pk.provider",
       {{"certname", K::kText, "n.certname"},
        {"package_name", K::kText, "pk.name"},
        {"version", K::kText, "pk.version"},
        {"provider", K::kText, "pk.provider"}}});
  return all;
}

// Adds PuppetDB's entities for subqueries: select_inactive_nodes and others.
void add_subquery_entities(std::vector<Entity>& all) {
  static const std::string kIsInactive = fmt::format("NOT {}", kIsActive);
  for (const std::string_view name : {"inactive_nodes", "not_active_nodes"}) {
    all.push_back(
        {name, "node n", kIsInactive, "n.certname", {{"certname", K::kText, "n.certname"}}, false});
  }
  all.push_back({"latest_report",
                 "node n JOIN report r ON r.id = n.latest_report_id",
                 "",
                 "r.hash",
                 {{"latest_report_hash", K::kText, "r.hash"}},
                 false});
}

using Names = std::span<const std::string_view>;
constexpr std::array<std::string_view, 12> kOfNodes{
    "nodes",    "facts",          "fact_contents",
    "factsets", "inventory",      "edges",
    "catalogs", "catalog_inputs", "catalog_input_contents",
    "reports",  "events",         "package_inventory"};
constexpr std::array<std::string_view, 12> kWithinNodes{
    "nodes",     "facts", "fact_contents", "factsets",       "inventory",
    "resources", "edges", "catalogs",      "catalog_inputs", "catalog_input_contents",
    "reports",   "events"};
constexpr std::array<std::string_view, 7> kWithEnvironment{
    "facts", "fact_contents", "factsets", "resources", "catalogs", "reports", "events"};
constexpr std::array<std::string_view, 8> kOfEnvironment{"facts",     "fact_contents", "factsets",
                                                         "inventory", "resources",     "catalogs",
                                                         "reports",   "events"};
constexpr std::array<std::string_view, 3> kWithProducer{"factsets", "catalogs", "reports"};

bool is_among(std::string_view name, Names names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

const Field* Entity::find(std::string_view wanted) const {
  const auto found = std::ranges::find(fields, wanted, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const Entity* find_entity(std::string_view name) {
  static const std::vector<Entity> kEntities = [] {
    std::vector<Entity> all = make_entities();
    add_subquery_entities(all);
    return all;
  }();
  const auto found = std::ranges::find(kEntities, name, &Entity::name);
  return found == kEntities.end() ? nullptr : &*found;
}

std::optional<JoinColumns> implicit_join(const Entity& outer, const Entity& inner) {
  const auto are = [&](std::string_view a, std::string_view b) {
    return outer.name == a && inner.name == b;
  };
  if (are("facts", "fact_contents") || are("fact_contents", "facts")) {
    return JoinColumns{{"certname", "certname"}, {"name", "name"}};
  }
  if (are("reports", "events")) return JoinColumns{{"hash", "report"}};
  if (are("events", "reports")) return JoinColumns{{"report", "hash"}};
  if (are("fact_paths", "facts")) return JoinColumns{{"name", "name"}};
  const bool is_of_node = (is_among(outer.name, kOfNodes) && is_among(inner.name, kWithinNodes)) ||
                          are("resources", "nodes") || are("resources", "catalogs");
  if (is_of_node) return JoinColumns{{"certname", "certname"}};
  if (inner.name == "environments" && is_among(outer.name, kWithEnvironment)) {
    return JoinColumns{{"environment", "name"}};
  }
  if (outer.name == "environments" && is_among(inner.name, kOfEnvironment)) {
    return JoinColumns{{"name", "environment"}};
  }
  if (inner.name == "producers" && is_among(outer.name, kWithProducer)) {
    return JoinColumns{{"producer", "name"}};
  }
  if (outer.name == "producers" && is_among(inner.name, kWithProducer)) {
    return JoinColumns{{"name", "producer"}};
  }
  return {};
}

}  // namespace bunraku::store
