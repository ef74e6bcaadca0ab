// Puts arrays and hashes together from the inside out, for the readers.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "support/data.h"

namespace bunraku {

class Arena;

class ArrayBuilder {
 public:
  void add(const DataNode& item) { items_.push_back(item); }
  DataNode finish(Arena& arena) const;

 private:
  std::vector<DataNode> items_;
};

class HashBuilder {
 public:
  // Takes the value of an equal key; the key stays where it first stood.
  void set(const DataNode& key, const DataNode& value);
  std::span<const DataEntry> entries() const { return entries_; }
  DataNode finish(Arena& arena) const;

 private:
  size_t position_of(const DataNode& key);

  std::vector<DataEntry> entries_;
  // From a key's hash to entries; only once there are too many to look at each.
  std::unordered_multimap<size_t, size_t> index_;
};

}  // namespace bunraku
