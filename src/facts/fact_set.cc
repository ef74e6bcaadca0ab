// Facts by name, during collection.
#include "facts/fact_set.h"

#include <algorithm>
#include <vector>

namespace bunraku::facts {
namespace {

constexpr DataNode kEmptyText = DataNode::text(DataKind::kString, "");

// The value with empty texts in place of null, as in the reference. The recursions are bounded,
// because readers of facts bound the depth.
DataNode without_null(const DataNode& value, Arena& arena) {
  if (value.is(DataKind::kNull)) return kEmptyText;
  if (value.is(DataKind::kArray)) {
    std::vector<DataNode> items(value.items().begin(), value.items().end());
    for (DataNode& item : items) item = without_null(item, arena);
    return DataNode::array(arena.copy(std::span<const DataNode>(items)));
  }
  if (!value.is(DataKind::kHash)) return value;
  std::vector<DataEntry> entries(value.entries().begin(), value.entries().end());
  for (DataEntry& entry : entries) {
    entry.key = without_null(entry.key, arena);
    entry.value = without_null(entry.value, arena);
  }
  return DataNode::hash(arena.copy(std::span<const DataEntry>(entries)));
}

DataNode sorted(const DataNode& value, Arena& arena) {
  if (!value.is(DataKind::kHash)) return value;
  std::vector<DataEntry> entries(value.entries().begin(), value.entries().end());
  const auto text = [](const DataNode& key) {
    return key.is(DataKind::kString) ? key.text_value() : std::string_view();
  };
  std::ranges::stable_sort(
      entries, [&](const DataEntry& a, const DataEntry& b) { return text(a.key) < text(b.key); });
  for (DataEntry& entry : entries) entry.value = sorted(entry.value, arena);
  return DataNode::hash(arena.copy(std::span<const DataEntry>(entries)));
}

}  // namespace

const Fact* FactSet::find(std::string_view name) const {
  const auto found = facts_.find(name);
  return found == facts_.end() ? nullptr : &found->second;
}

void FactSet::add(std::string_view name, const DataNode& value, FactKind kind) {
  facts_.insert_or_assign(std::string(name), Fact{value, kind});
}

void FactSet::add_text(std::string_view name, std::string_view value, FactKind kind) {
  if (!value.empty()) add(name, text(value), kind);
}

void FactSet::add_integer(std::string_view name, uint64_t value, FactKind kind) {
  add(name, DataNode::integer(static_cast<int64_t>(value)), kind);
}

void FactSet::add_hash(std::string_view name, const HashFact& value) {
  if (!value.is_empty()) add(name, value.finish());
}

DataNode FactSet::as_hash(bool with_legacy) const {
  std::vector<DataEntry> entries;
  for (const auto& [name, fact] : facts_) {
    if (fact.kind == FactKind::kLegacy && !with_legacy) continue;
    entries.push_back({text(name), sorted(without_null(fact.value, arena_), arena_)});
  }
  return DataNode::hash(arena_.copy(std::span<const DataEntry>(entries)));
}

}  // namespace bunraku::facts
