#include "support/data_builder.h"

#include <functional>

#include "support/arena.h"

namespace bunraku {
namespace {

constexpr size_t kSearchedOneByOne = 16;

size_t hash_of(const DataNode& node) {
  switch (node.kind()) {
    case DataKind::kString:
    case DataKind::kSymbol:
    case DataKind::kBigInteger:
      return std::hash<std::string_view>()(node.text_value());
    case DataKind::kInteger:
      return std::hash<int64_t>()(node.integer_value());
    case DataKind::kFloat:
      return std::hash<double>()(node.float_value());
    case DataKind::kArray:
      return node.items().size();
    case DataKind::kHash:
      return node.entries().size();
    case DataKind::kNull:
    case DataKind::kBoolean:
      break;
  }
  return 0;
}

}  // namespace

DataNode ArrayBuilder::finish(Arena& arena) const {
  return DataNode::array(arena.copy(std::span<const DataNode>(items_)));
}

DataNode HashBuilder::finish(Arena& arena) const {
  return DataNode::hash(arena.copy(std::span<const DataEntry>(entries_)));
}

void HashBuilder::set(const DataNode& key, const DataNode& value) {
  size_t position = position_of(key);
  if (position < entries_.size()) {
    entries_[position].value = value;
    return;
  }
  if (!index_.empty()) index_.emplace(hash_of(key), position);
  entries_.push_back({key, value});
}

size_t HashBuilder::position_of(const DataNode& key) {
  if (entries_.size() < kSearchedOneByOne) {
    size_t i = 0;
    while (i < entries_.size() && !(entries_[i].key == key)) ++i;
    return i;
  }
  if (index_.empty()) {
    for (size_t i = 0; i < entries_.size(); ++i) index_.emplace(hash_of(entries_[i].key), i);
  }
  auto [begin, end] = index_.equal_range(hash_of(key));
  for (auto found = begin; found != end; ++found) {
    if (entries_[found->second].key == key) return found->second;
  }
  return entries_.size();
}

}  // namespace bunraku
