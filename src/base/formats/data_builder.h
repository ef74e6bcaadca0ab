// Builders of arrays and hashes, for the readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

class DataArrayBuilder {
 public:
  void add(const DataNode& item) { items_.push_back(item); }
  DataNode finish(Arena& arena) const;

 private:
  std::vector<DataNode> items_;
};

class DataHashBuilder {
 public:
  // Sets the value of a key; an existing key keeps its place. Returns the position among the
  // entries.
  size_t set(const DataNode& key, const DataNode& value);
  std::span<const DataEntry> entries() const { return entries_; }
  DataNode finish(Arena& arena) const;

 private:
  size_t position_of(const DataNode& key);
  void grow_index();

  std::vector<DataEntry> entries_;
  // A hash table of positions in the list, counted from 1; only used for many entries.
  std::vector<uint32_t> index_;
};

}  // namespace bunraku
