// Construction of arrays and objects on a stack.
#include "base/formats/data_tree_writer.h"

#include <cmath>
#include <string>

#include "base/formats/json.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku {

DataNode DataTreeWriter::text(std::string_view text) {
  if (!is_valid_utf8(text)) throw DataError("source sequence is illegal/malformed utf-8");
  size_ += text.size() + sizeof(DataNode);
  return DataNode::text(DataKind::kString, arena_.copy(text));
}

void DataTreeWriter::number(double value) {
  if (!std::isfinite(value)) throw DataError(float_text(value) + " not allowed in JSON");
  add(DataNode::floating(value));
}

void DataTreeWriter::add(DataNode value) {
  size_ += sizeof value;
  pending_.push_back({key_, value});
}

void DataTreeWriter::open(DataKind kind) {
  if (depth_ + levels_.size() >= kJsonDepth) {
    throw DataError("nesting of " + std::to_string(kJsonDepth + 1) + " is too deep");
  }
  levels_.push_back({kind, key_, pending_.size()});
}

void DataTreeWriter::end_object() {
  const Level level = levels_.back();
  levels_.pop_back();
  const std::span<const DataEntry> entries = std::span(pending_).subspan(level.first);
  const DataNode node = DataNode::hash(arena_.copy(entries));
  pending_.resize(level.first);
  key_ = level.key;
  add(node);
}

void DataTreeWriter::end_array() {
  const Level level = levels_.back();
  levels_.pop_back();
  const size_t count = pending_.size() - level.first;
  auto* items = arena_.make_array<DataNode>(count);
  for (size_t i = 0; i < count; ++i) ::new (&items[i]) DataNode(pending_[level.first + i].value);
  pending_.resize(level.first);
  key_ = level.key;
  add(DataNode::array({items, count}));
}

DataNode DataTreeWriter::finish() {
  const DataNode node = pending_.back().value;
  pending_.clear();
  size_ = 0;
  return node;
}

}  // namespace bunraku
