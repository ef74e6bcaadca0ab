// Finds rows with dangling references.
#include "store/lifecycle/check.h"

#include <fmt/format.h>

#include <array>

namespace bunraku::store {
namespace {

struct Rule {
  std::string_view broken;  // SQL that counts violations
  std::string_view message;
};
constexpr std::array<Rule, 12> kRules{{
    {"SELECT count(*) FROM factset WHERE node_id NOT IN (SELECT id FROM node)",
     "factsets without a node"},
    {"SELECT count(*) FROM fact WHERE node_id NOT IN (SELECT node_id FROM factset)",
     "facts without a factset"},
    {"SELECT count(*) FROM catalog WHERE node_id NOT IN (SELECT id FROM node)",
     "catalogs without a node"},
    {"SELECT count(*) FROM catalog_resource WHERE node_id NOT IN (SELECT node_id FROM catalog)",
     "resources without a catalog"},
    {"SELECT count(*) FROM catalog c WHERE c.resource_count <> (SELECT count(*) FROM "
     "catalog_resource r WHERE r.node_id = c.node_id)",
     "catalogs with another number of resources than they should have"},
    {"SELECT count(*) FROM catalog WHERE node_id NOT IN (SELECT node_id FROM catalog_edges)",
     "catalogs without edges"},
    {"SELECT count(*) FROM catalog_resource WHERE content_id NOT IN (SELECT id FROM "
     "resource_content)",
     "resources without parameters"},
    {"SELECT count(*) FROM catalog_resource WHERE tag_set_id NOT IN (SELECT id FROM tag_set)",
     "resources without tags"},
    {"SELECT count(*) FROM report WHERE id NOT IN (SELECT report_id FROM report_body)",
     "reports without a body"},
    {"SELECT count(*) FROM report WHERE node_id NOT IN (SELECT id FROM node)",
     "reports without a node"},
    {"SELECT count(*) FROM event WHERE report_id NOT IN (SELECT id FROM report)",
     "events without a report"},
    {"SELECT count(*) FROM node WHERE latest_report_id IS NOT NULL AND latest_report_id NOT IN "
     "(SELECT id FROM report)",
     "nodes whose latest report is missing"},
}};

}  // namespace

std::vector<std::string> check_store(Store& store) {
  std::vector<std::string> problems;
  store.read([&](Connection& connection) {
    problems.clear();
    if (connection.dialect() == Dialect::kSqlite) {
      const auto rows = connection.query("PRAGMA integrity_check");
      while (rows->next()) {
        if (rows->text(0) != "ok") problems.push_back(fmt::format("SQLite: {}", rows->text(0)));
      }
    }
    for (const Rule& rule : kRules) {
      const auto rows = connection.query(rule.broken);
      if (rows->next() && rows->integer(0) > 0) {
        problems.push_back(fmt::format("{} {}", rows->integer(0), rule.message));
      }
    }
  });
  return problems;
}

}  // namespace bunraku::store
