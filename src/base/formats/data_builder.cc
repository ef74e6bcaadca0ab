#include "base/formats/data_builder.h"

#include <bit>
#include <functional>

#include "base/memory/arena.h"
#include "base/text/text_hash.h"

namespace bunraku {
namespace {

constexpr size_t kSearchedOneByOne = 16;

size_t hash_of(const DataNode& node) {
  switch (node.kind()) {
    case DataKind::kString:
    case DataKind::kSymbol:
    case DataKind::kRegexp:
    case DataKind::kBigInteger:
      return text_hash(node.text_value());
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

DataNode DataArrayBuilder::finish(Arena& arena) const {
  return DataNode::array(arena.copy(std::span<const DataNode>(items_)));
}

DataNode DataHashBuilder::finish(Arena& arena) const {
  return DataNode::hash(arena.copy(std::span<const DataEntry>(entries_)));
}

size_t DataHashBuilder::set(const DataNode& key, const DataNode& value) {
  if (entries_.size() >= kSearchedOneByOne && entries_.size() * 2 >= index_.size()) grow_index();
  const size_t position = position_of(key);
  if (position == entries_.size()) {
    entries_.push_back({key, value});
  } else {
    entries_[position].value = value;
  }
  return position;
}

void DataHashBuilder::grow_index() {
  index_.assign(std::bit_ceil(entries_.size() * 4), 0);
  const size_t mask = index_.size() - 1;
  for (size_t position = 0; position < entries_.size(); ++position) {
    size_t slot = hash_of(entries_[position].key) & mask;
    while (index_[slot] != 0) slot = (slot + 1) & mask;
    index_[slot] = static_cast<uint32_t>(position + 1);
  }
}

// Returns the position of the key; for a new one the end of the list, which is added to the index.
size_t DataHashBuilder::position_of(const DataNode& key) {
  if (index_.empty()) {
    size_t i = 0;
    while (i < entries_.size() && !(entries_[i].key == key)) ++i;
    return i;
  }
  const size_t mask = index_.size() - 1;
  size_t slot = hash_of(key) & mask;
  for (; index_[slot] != 0; slot = (slot + 1) & mask) {
    const size_t position = index_[slot] - 1;
    if (entries_[position].key == key) return position;
  }
  index_[slot] = static_cast<uint32_t>(entries_.size() + 1);
  return entries_.size();
}

}  // namespace bunraku
