#include "base/formats/data.h"

#include <algorithm>

namespace bunraku {

const DataNode* DataNode::find(std::string_view key) const {
  if (!is(DataKind::kHash)) return nullptr;
  for (const DataEntry& entry : entries()) {
    if (entry.key.is(DataKind::kString) && entry.key.text_value() == key) return &entry.value;
  }
  return nullptr;
}

namespace {

bool has_equal_entries(std::span<const DataEntry> a, std::span<const DataEntry> b) {
  if (a.size() != b.size()) return false;
  // The order does not matter.
  return std::ranges::all_of(a, [b](const DataEntry& entry) {
    return std::ranges::any_of(b, [&entry](const DataEntry& other) {
      return entry.key == other.key && entry.value == other.value;
    });
  });
}

}  // namespace

bool operator==(const DataNode& a, const DataNode& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case DataKind::kNull:
      return true;
    case DataKind::kBoolean:
      return a.boolean_value() == b.boolean_value();
    case DataKind::kInteger:
      return a.integer_value() == b.integer_value();
    case DataKind::kFloat:
      return a.float_value() == b.float_value();
    case DataKind::kBigInteger:
    case DataKind::kString:
    case DataKind::kSymbol:
    case DataKind::kRegexp:
      return a.text_value() == b.text_value();
    case DataKind::kArray:
      return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end());
    case DataKind::kHash:
      return has_equal_entries(a.entries(), b.entries());
  }
  return false;
}

}  // namespace bunraku
