// Facts by name, during collection.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/formats/data.h"
#include "base/formats/data_builder.h"
#include "base/memory/arena.h"

namespace bunraku::facts {

enum class FactKind : uint8_t {
  kCore,
  kLegacy,  // the flat form of a part of a core fact, shown only on request
  kExternal,
  kCustom
};

struct Fact {
  DataNode value;  // stored in the arena of the set
  FactKind kind = FactKind::kCore;
};

// A hash under construction. Absent values are omitted.
class HashFact {
 public:
  explicit HashFact(Arena& arena) : arena_(arena) {}

  void set(std::string_view key, const DataNode& value) {
    hash_.set(DataNode::text(DataKind::kString, arena_.copy(key)), value);
  }
  void set_text(std::string_view key, std::string_view value) {
    if (!value.empty()) set(key, DataNode::text(DataKind::kString, arena_.copy(value)));
  }
  void set_integer(std::string_view key, uint64_t value) {
    set(key, DataNode::integer(static_cast<int64_t>(value)));
  }
  // Sets a hash, unless it is empty.
  void set_hash(std::string_view key, const HashFact& value) {
    if (!value.is_empty()) set(key, value.finish());
  }
  bool is_empty() const { return hash_.entries().empty(); }
  DataNode finish() const { return hash_.finish(arena_); }

 private:
  Arena& arena_;
  DataHashBuilder hash_;
};

// A set of facts. Missing core facts are omitted, never null. Not thread-safe.
class FactSet {
 public:
  // The arena must outlive the set and its results.
  explicit FactSet(Arena& arena) : arena_(arena) {}

  Arena& arena() const { return arena_; }
  // Sorted by name.
  const std::map<std::string, Fact, std::less<>>& facts() const { return facts_; }
  // Returns null when there is no fact of the name.
  const Fact* find(std::string_view name) const;

  // Replaces a fact of the same name.
  void add(std::string_view name, const DataNode& value, FactKind kind = FactKind::kCore);
  void add_text(std::string_view name, std::string_view value, FactKind kind = FactKind::kCore);
  void add_integer(std::string_view name, uint64_t value, FactKind kind = FactKind::kCore);
  void add_hash(std::string_view name, const HashFact& value);
  void remove(std::string_view name) {
    if (const auto found = facts_.find(name); found != facts_.end()) facts_.erase(found);
  }

  DataNode text(std::string_view value) const {
    return DataNode::text(DataKind::kString, arena_.copy(value));
  }

  // All facts as one hash, sorted by name, also in nested hashes. Null becomes an empty text.
  DataNode as_hash(bool with_legacy) const;

 private:
  Arena& arena_;
  std::map<std::string, Fact, std::less<>> facts_;
};

}  // namespace bunraku::facts
