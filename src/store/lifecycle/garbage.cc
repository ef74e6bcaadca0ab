// Expiry and removal.
#include "store/lifecycle/garbage.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "store/time_text.h"

namespace bunraku::store {
namespace {

constexpr int64_t kRowsAtOnce = 2000;

int64_t before(int64_t now, std::chrono::seconds ttl) {
  return now - ttl.count() * 1'000'000;
}

// Locks the selected node, so that no writer adds rows to it while it is deleted.
std::string locked(const Connection& connection, std::string_view select) {
  const bool is_sqlite = connection.dialect() == Dialect::kSqlite;  // SQLite has a single writer
  return fmt::format("{}{}", select, is_sqlite ? "" : " FOR UPDATE");
}

void delete_node_rows(Connection& connection, int64_t node) {
  constexpr std::array<std::string_view, 10> kDeletes{
      "DELETE FROM event WHERE report_id IN (SELECT id FROM report WHERE node_id = $1)",
      "DELETE FROM report_body WHERE report_id IN (SELECT id FROM report WHERE node_id = $1)",
      "DELETE FROM report WHERE node_id = $1",
      "DELETE FROM fact WHERE node_id = $1",
      "DELETE FROM factset WHERE node_id = $1",
      "DELETE FROM catalog_resource WHERE node_id = $1",
      "DELETE FROM catalog WHERE node_id = $1",
      "DELETE FROM catalog_edges WHERE node_id = $1",
      "DELETE FROM node_package WHERE node_id = $1",
      "DELETE FROM catalog_input WHERE node_id = $1"};
  for (const std::string_view sql : kDeletes) connection.run(sql, {node});
  connection.run("DELETE FROM node WHERE id = $1", {node});
}

// Expires nodes without recent data, except those that are kept forever.
int64_t expire_nodes(Store& store, int64_t now, std::chrono::seconds ttl) {
  int64_t count = 0;
  store.write([&](Connection& connection) {
    count = connection.run(
        "UPDATE node SET expired = $1 WHERE deactivated IS NULL AND expired IS NULL AND "
        "coalesce(expires_facts, true) AND "
        "coalesce((SELECT f.timestamp FROM factset f WHERE f.node_id = node.id), 0) < $2 AND "
        "coalesce((SELECT c.timestamp FROM catalog c WHERE c.node_id = node.id), 0) < $2 AND "
        "coalesce((SELECT r.receive_time FROM report r WHERE r.id = node.latest_report_id), 0) < "
        "$2 AND coalesce(inputs_timestamp, 0) < $2 AND coalesce(expires_facts_updated, 0) < $2",
        {now, before(now, ttl)});
  });
  return count;
}

int64_t purge_nodes(Store& store, int64_t limit, int64_t most) {
  int64_t count = 0;
  while (most == 0 || count < most) {
    bool is_found = false;
    store.write([&](Connection& connection) {
      std::optional<int64_t> node;
      {
        const auto rows = connection.query(
            locked(
                connection,
                "SELECT id FROM node WHERE deactivated < $1 OR expired < $1 ORDER BY id LIMIT 1"),
            {limit});
        if (rows->next()) node = rows->integer(0);
      }
      is_found = node.has_value();
      if (node) delete_node_rows(connection, *node);
    });
    if (!is_found) break;
    ++count;
  }
  return count;
}

int64_t purge_reports(Store& store, int64_t limit) {
  int64_t total = 0;
  for (int64_t count = kRowsAtOnce; count == kRowsAtOnce;) {
    store.write([&](Connection& connection) {
      constexpr std::string_view kOld =
          "(SELECT r.id FROM report r JOIN node n ON n.id = r.node_id WHERE r.producer_timestamp < "
          "$1 AND r.id <> coalesce(n.latest_report_id, 0) ORDER BY r.id LIMIT $2)";
      const std::string old(kOld);
      if (connection.dialect() == Dialect::kPostgres) {
        // A lock, so that all three statements see the same reports.
        connection.script("LOCK TABLE report IN SHARE ROW EXCLUSIVE MODE");
      }
      connection.run("DELETE FROM event WHERE report_id IN " + old, {limit, kRowsAtOnce});
      connection.run("DELETE FROM report_body WHERE report_id IN " + old, {limit, kRowsAtOnce});
      count = connection.run("DELETE FROM report WHERE id IN " + old, {limit, kRowsAtOnce});
    });
    total += count;
  }
  return total;
}

int64_t purge_events(Store& store, int64_t limit) {
  int64_t total = 0;
  for (int64_t count = kRowsAtOnce; count == kRowsAtOnce;) {
    store.write([&](Connection& connection) {
      count = connection.run(
          "DELETE FROM event WHERE (report_id, number) IN (SELECT report_id, number FROM event "
          "WHERE timestamp < $1 LIMIT $2)",
          {limit, kRowsAtOnce});
    });
    total += count;
  }
  return total;
}

// Removes shared rows that nothing uses. A writer may be about to use one: see hold_garbage().
int64_t remove_unused(Store& store, const GarbageParts& parts) {
  const std::array<std::pair<bool, std::string_view>, 5> deletes{
      {{parts.contents,
        "DELETE FROM resource_content WHERE id NOT IN (SELECT content_id FROM catalog_resource)"},
       {parts.contents,
        "DELETE FROM tag_set WHERE id NOT IN (SELECT tag_set_id FROM catalog_resource)"},
       {parts.contents,
        "DELETE FROM file WHERE id NOT IN (SELECT file_id FROM catalog_resource WHERE file_id IS "
        "NOT NULL)"},
       {parts.packages,
        "DELETE FROM package WHERE id NOT IN (SELECT package_id FROM node_package)"},
       {parts.fact_paths,
        "DELETE FROM fact_path WHERE name NOT IN (SELECT DISTINCT name FROM fact)"}}};
  int64_t total = 0;
  for (const auto& [is_wanted, sql] : deletes) {
    if (!is_wanted) continue;
    store.write([&, statement = sql](Connection& connection) {
      if (connection.dialect() == Dialect::kPostgres) {
        // Writers of catalogs and facts wait meanwhile. The tables are in the order in which
        // writers lock them.
        connection.script("LOCK TABLE fact, node_package, catalog_resource IN SHARE MODE");
      }
      total += connection.run(statement);
    });
  }
  return total;
}

}  // namespace

GarbageCounts collect_garbage(Store& store, const Lifetimes& lifetimes, const GarbageParts& parts) {
  const int64_t now = now_microseconds();
  GarbageCounts counts;
  if (parts.expired_nodes && lifetimes.node_ttl.count() != 0) {
    counts.expired_nodes = expire_nodes(store, now, lifetimes.node_ttl);
  }
  if (parts.purged_nodes && lifetimes.node_purge_ttl.count() != 0) {
    counts.purged_nodes =
        purge_nodes(store, before(now, lifetimes.node_purge_ttl), lifetimes.nodes_at_once);
  }
  if (parts.reports && lifetimes.report_ttl.count() != 0) {
    counts.reports = purge_reports(store, before(now, lifetimes.report_ttl));
  }
  if (parts.events && lifetimes.event_ttl.count() != 0) {
    counts.events = purge_events(store, before(now, lifetimes.event_ttl));
  }
  counts.shared_rows = remove_unused(store, parts);
  return counts;
}

void delete_node(Store& store, const std::string& certname) {
  store.write([&](Connection& connection) {
    std::optional<int64_t> node;
    {
      const auto rows = connection.query(
          locked(connection, "SELECT id FROM node WHERE certname = $1"), {certname});
      if (rows->next()) node = rows->integer(0);
    }
    if (node) delete_node_rows(connection, *node);
  });
}

}  // namespace bunraku::store
