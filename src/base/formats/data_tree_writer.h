// Builds plain data piece by piece, with the interface of JsonWriter (json.h), so that the same
// code can write to either.
#pragma once

#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "base/memory/arena.h"

namespace bunraku {

class DataTreeWriter {
 public:
  // The result is in `arena`, with copies of all strings. `depth` is the depth of the result in a
  // document, whose limits apply here too.
  explicit DataTreeWriter(Arena& arena, uint32_t depth = 0) : arena_(arena), depth_(depth) {}

  void begin_object() { open(DataKind::kHash); }
  void end_object();
  void begin_array() { open(DataKind::kArray); }
  void end_array();
  void key(std::string_view name) { key_ = text(name); }

  void null() { add(DataNode()); }
  void boolean(bool value) { add(DataNode::boolean(value)); }
  void integer(int64_t value) { add(DataNode::integer(value)); }
  // Throws DataError for infinity and NaN.
  void number(double value);
  // Throws DataError for text that is not UTF-8.
  void string(std::string_view value) { add(text(value)); }

  void member(std::string_view name, std::string_view value) { key(name), string(value); }
  void member(std::string_view name, int64_t value) { key(name), integer(value); }

  // The approximate number of bytes so far.
  size_t size() const { return size_; }
  // Returns the result; all levels must be closed. The writer can then be used again.
  DataNode finish();

 private:
  struct Level {
    DataKind kind;
    DataNode key;  // the key for the finished level
    size_t first;  // the index of its first pending entry
  };
  DataNode text(std::string_view text);
  void add(DataNode value);
  void open(DataKind kind);

  Arena& arena_;
  uint32_t depth_;
  size_t size_ = 0;
  DataNode key_;
  std::vector<DataEntry> pending_;  // of all open levels; items of arrays have no key
  std::vector<Level> levels_;
};

}  // namespace bunraku
