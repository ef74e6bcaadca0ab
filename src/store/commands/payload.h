// Parsing the payload of a command.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/memory/arena.h"
#include "store/commands/command.h"

namespace bunraku::store {

// A JSON object with required and optional members. All functions throw StoreError (kInput) for
// values of another kind.
class Payload {
 public:
  // `what` is the name of the object in messages: "the catalog", "resource 3".
  Payload(const DataNode& node, std::string what);

  const DataNode* find(std::string_view key) const;
  // A required member of any kind.
  const DataNode& any(std::string_view key) const;
  std::string text(std::string_view key) const;
  // No value when it is missing or null.
  std::optional<std::string> optional_text(std::string_view key) const;
  std::optional<int64_t> optional_integer(std::string_view key) const;
  int64_t integer(std::string_view key) const;
  std::optional<bool> optional_boolean(std::string_view key) const;
  bool boolean(std::string_view key) const;
  int64_t time(std::string_view key) const;
  int64_t time_or(std::string_view key, int64_t otherwise) const;
  std::span<const DataNode> array(std::string_view key) const;
  // Empty when it is missing or null.
  std::span<const DataNode> optional_array(std::string_view key) const;
  // A UUID; no value for anything else.
  std::optional<std::string> optional_uuid(std::string_view key) const;
  // Throws for every key that is not in `keys`.
  void allow(std::span<const std::string_view> keys) const;

  [[noreturn]] void fail(std::string_view problem) const;

 private:
  const DataNode& node_;
  std::string what_;
};

inline SqlValue value_of(const std::optional<std::string>& text) {
  return text ? SqlValue(*text) : SqlValue();
}
inline SqlValue value_of(const std::optional<int64_t>& number) {
  return number ? SqlValue(*number) : SqlValue();
}
inline SqlValue value_of(const std::optional<bool>& flag) {
  return flag ? SqlValue(*flag) : SqlValue();
}

// Parses the body of a command. U+0000 becomes U+FFFD, which databases can store. Throws
// StoreError.
DataNode read_body(const Command& command, Arena& arena);

// Compact JSON in which the members of all objects are sorted by key.
std::string sorted_json(const DataNode& node);

// Prepare each kind of command.
PreparedCommand prepare_facts(const Command& command, const FactFilter& filter);
PreparedCommand prepare_catalog(const Command& command);
PreparedCommand prepare_report(const Command& command);
PreparedCommand prepare_deactivation(const Command& command);
PreparedCommand prepare_expiration(const Command& command);
PreparedCommand prepare_inputs(const Command& command);

// --- the rows that all commands write ---

struct NodeRow {
  int64_t id = 0;
  std::optional<int64_t> deactivated;
  std::optional<int64_t> expired;
};
// Creates the node if it is missing, and blocks other writers of it until the transaction ends.
NodeRow lock_node(Connection& connection, const std::string& certname);
// Marks a node as active when newer data arrives.
void reactivate(Connection& connection, const NodeRow& node, int64_t producer_timestamp);
// The id of a name in `table` (environment, producer); null for no name.
SqlValue name_id(Connection& connection, std::string_view table,
                 const std::optional<std::string>& name);
// The common header of facts and catalogs.
struct DocumentHead {
  const std::string& hash;
  int64_t producer_timestamp;
  const std::optional<std::string>& environment;
  const std::optional<std::string>& producer;
};
// The relation of a new document to the stored one of the same node.
struct Succession {
  bool is_first = true;
  bool is_unchanged = false;
  SqlValue environment;  // the ids of the names
  SqlValue producer;
};
// Compares with the stored document in `table` (factset or catalog). Returns no value when the
// stored one is newer; otherwise marks the node as active.
std::optional<Succession> succeed(Connection& connection, std::string_view table,
                                  const NodeRow& node, const DocumentHead& head);
// Keeps shared rows that are still unused until the end of this transaction, which will refer to
// them from `table`: garbage is collected under an exclusive lock of that table.
void hold_garbage(Connection& connection, std::string_view table);

}  // namespace bunraku::store
