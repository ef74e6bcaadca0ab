// Puts arrays and hashes together from the inside out, for the readers.
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
  // Takes the value of an equal key; the key stays where it first stood. Returns its position among
  // the entries.
  size_t set(const DataNode& key, const DataNode& value);
  std::span<const DataEntry> entries() const { return entries_; }
  DataNode finish(Arena& arena) const;

 private:
  size_t position_of(const DataNode& key);
  void grow_index();

  std::vector<DataEntry> entries_;
  // A hash table of positions in the list, counted from 1; only once there are too many entries to
  // look at each.
  std::vector<uint32_t> index_;
};

}  // namespace bunraku
