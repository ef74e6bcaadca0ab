// Builds plain data piece by piece, as JsonWriter (json.h) writes it: what is written to one can be
// written to the other.
#pragma once

#include <string_view>
#include <vector>

#include "base/formats/data.h"
#include "base/memory/arena.h"

namespace bunraku {

class DataTreeWriter {
 public:
  // What is built lives in `arena`, with copies of all strings. `depth` is how deep it will stand
  // in a document, whose bounds hold here too.
  explicit DataTreeWriter(Arena& arena, uint32_t depth = 0) : arena_(arena), depth_(depth) {}

  void begin_object() { open(DataKind::kHash); }
  void end_object();
  void begin_array() { open(DataKind::kArray); }
  void end_array();
  void key(std::string_view name) { key_ = text(name); }

  void null() { add(DataNode()); }
  void boolean(bool value) { add(DataNode::boolean(value)); }
  void integer(int64_t value) { add(DataNode::integer(value)); }
  // Throws DataError for what is not finite.
  void number(double value);
  // Throws DataError for what is not UTF-8.
  void string(std::string_view value) { add(text(value)); }

  void member(std::string_view name, std::string_view value) { key(name), string(value); }
  void member(std::string_view name, int64_t value) { key(name), integer(value); }

  // About how many bytes have been taken so far.
  size_t size() const { return size_; }
  // What was built; nothing is left open. Ready for the next.
  DataNode finish();

 private:
  struct Level {
    DataKind kind;
    DataNode key;  // under which it will stand
    size_t first;  // of its entries among the pending ones
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
