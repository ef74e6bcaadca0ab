// Reading the payload of a command.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/memory/arena.h"
#include "store/commands/command.h"

namespace bunraku::store {

// A JSON object with what its sender must and may say. All functions throw StoreError (kInput) for
// values of another kind.
class Payload {
 public:
  // `what` names it in messages: "the catalog", "resource 3".
  Payload(const DataNode& node, std::string what);

  const DataNode* find(std::string_view key) const;
  // Present, of any kind.
  const DataNode& any(std::string_view key) const;
  std::string text(std::string_view key) const;
  // Empty when it is missing or null.
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
  // One that reads as a UUID, or nothing.
  std::optional<std::string> optional_uuid(std::string_view key) const;
  // Refuses every other key.
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

// The body of a command. U+0000 becomes U+FFFD, which databases can hold. Throws StoreError.
DataNode read_body(const Command& command, Arena& arena);

// Compact JSON with the members of all objects in the order of their keys.
std::string sorted_json(const DataNode& node);

// The steps of each kind of command.
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
// Makes it where it is missing, and keeps other writers away from it until the transaction's end.
NodeRow lock_node(Connection& connection, const std::string& certname);
// A node of which something newer comes is active again.
void reactivate(Connection& connection, const NodeRow& node, int64_t producer_timestamp);
// The number of a name in `table` (environment, producer); null for none.
SqlValue name_id(Connection& connection, std::string_view table,
                 const std::optional<std::string>& name);
// What facts and catalogs have in common.
struct DocumentHead {
  const std::string& hash;
  int64_t producer_timestamp;
  const std::optional<std::string>& environment;
  const std::optional<std::string>& producer;
};
// A document that is about to be stored, beside the one of the same node that is there.
struct Succession {
  bool is_first = true;
  bool is_unchanged = false;
  SqlValue environment;  // the numbers of the names
  SqlValue producer;
};
// `table` is factset or catalog. Nothing where the stored document is newer; otherwise the node is
// active again.
std::optional<Succession> succeed(Connection& connection, std::string_view table,
                                  const NodeRow& node, const DocumentHead& head);
// Shared rows that are not used yet stay until the end of the transaction, which is about to refer
// to them from `table`: garbage is collected by one who has that table alone.
void hold_garbage(Connection& connection, std::string_view table);

}  // namespace bunraku::store
