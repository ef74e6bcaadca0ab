// deactivate node, configure expiration, replace catalog inputs.
#include <set>

#include "base/memory/arena.h"
#include "store/commands/payload.h"

namespace bunraku::store {

PreparedCommand prepare_deactivation(const Command& command) {
  Arena arena;
  const DataNode body = read_body(command, arena);
  const Payload payload(body, "The deactivation");
  const std::string certname = payload.text("certname");
  const int64_t timestamp = payload.time_or("producer_timestamp", command.received);
  return {
      certname, [=](Connection& connection) {
        const NodeRow node = lock_node(connection, certname);
        const auto rows = connection.query(
            "SELECT 1 FROM node n LEFT JOIN factset f ON f.node_id = n.id LEFT JOIN catalog c ON "
            "c.node_id = n.id WHERE n.id = $1 AND (f.producer_timestamp > $2 OR "
            "c.producer_timestamp "
            "> $2 OR n.latest_report_timestamp > $2)",
            {node.id, timestamp});
        if (rows->next()) return Outcome::kStale;
        connection.run("UPDATE node SET deactivated = $2 WHERE id = $1", {node.id, timestamp});
        return Outcome::kStored;
      }};
}

PreparedCommand prepare_expiration(const Command& command) {
  Arena arena;
  const DataNode body = read_body(command, arena);
  const Payload payload(body, "The configuration of expiration");
  const Payload expire(payload.any("expire"), "'expire'");
  const std::string certname = payload.text("certname");
  const int64_t timestamp = payload.time_or("producer_timestamp", command.received);
  const bool expires = expire.boolean("facts");
  return {certname, [=](Connection& connection) {
            const NodeRow node = lock_node(connection, certname);
            reactivate(connection, node, timestamp);
            const int64_t changed = connection.run(
                "UPDATE node SET expires_facts = $2, expires_facts_updated = $3 WHERE id = $1 AND "
                "coalesce(expires_facts_updated, 0) <= $3",
                {node.id, expires, timestamp});
            return changed == 0 ? Outcome::kStale : Outcome::kStored;
          }};
}

PreparedCommand prepare_inputs(const Command& command) {
  Arena arena;
  const DataNode body = read_body(command, arena);
  const Payload payload(body, "The catalog's inputs");
  const std::string certname = payload.text("certname");
  const std::optional<std::string> uuid = payload.optional_uuid("catalog_uuid");
  const int64_t timestamp = payload.time_or("producer_timestamp", command.received);
  std::set<std::pair<std::string, std::string>> inputs;
  for (const DataNode& input : payload.array("inputs")) {
    if (!input.is(DataKind::kArray) || input.items().size() != 2 ||
        !input.items()[0].is(DataKind::kString) || !input.items()[1].is(DataKind::kString)) {
      payload.fail("have an input that is no array of type and name");
    }
    inputs.emplace(input.items()[0].text_value(), input.items()[1].text_value());
  }
  return {certname, [=](Connection& connection) {
            const NodeRow node = lock_node(connection, certname);
            const int64_t changed = connection.run(
                "UPDATE node SET inputs_uuid = $2, inputs_timestamp = $3 WHERE id = $1 AND "
                "coalesce(inputs_timestamp, 0) <= $3",
                {node.id, value_of(uuid), timestamp});
            if (changed == 0) return Outcome::kStale;
            reactivate(connection, node, timestamp);
            connection.run("DELETE FROM catalog_input WHERE node_id = $1", {node.id});
            RowInserter inserter(connection,
                                 "INSERT INTO catalog_input(node_id, type, name) VALUES", 3);
            for (const auto& [type, name] : inputs) inserter.add({node.id, type, name});
            inserter.finish();
            return Outcome::kStored;
          }};
}

}  // namespace bunraku::store
