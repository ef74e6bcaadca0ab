#include "values/value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "base/diagnostics/diagnostic.h"
#include "base/text/short_text.h"
#include "base/text/text_hash.h"
#include "base/text/utf8.h"
#include "values/bounds.h"
#include "values/object.h"
#include "values/shared_parts.h"
#include "values/time_arithmetic.h"
#include "values/type.h"
#include "values/uri.h"

namespace bunraku {

namespace {

// Hashes up to this size are searched without an index.
constexpr uint32_t kLargestUnindexed = 8;

}  // namespace

void fail_too_deep(const char* what, uint32_t levels) {
  throw EvaluationError(
      make_diagnostic(Issue::kTooDeep, {}, {capitalize(what), std::to_string(levels)}));
}

void fail_too_large(const char* what, uint32_t most) {
  throw EvaluationError(
      make_diagnostic(Issue::kTooLarge, {}, {capitalize(what), std::to_string(most), "parts"}));
}

void fail_too_long(const char* what, size_t most) {
  throw EvaluationError(
      make_diagnostic(Issue::kTooLarge, {}, {capitalize(what), std::to_string(most), "bytes"}));
}

std::string_view name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kUndef:
      return "Undef";
    case ValueKind::kDefault:
      return "Default";
    case ValueKind::kBoolean:
      return "Boolean";
    case ValueKind::kInteger:
      return "Integer";
    case ValueKind::kFloat:
      return "Float";
    case ValueKind::kString:
      return "String";
    case ValueKind::kRegexp:
      return "Regexp";
    case ValueKind::kArray:
      return "Array";
    case ValueKind::kHash:
      return "Hash";
    case ValueKind::kType:
      return "Type";
    case ValueKind::kSensitive:
      return "Sensitive";
    case ValueKind::kBinary:
      return "Binary";
    case ValueKind::kTimestamp:
      return "Timestamp";
    case ValueKind::kTimespan:
      return "Timespan";
    case ValueKind::kSemVer:
      return "SemVer";
    case ValueKind::kSemVerRange:
      return "SemVerRange";
    case ValueKind::kUri:
      return "URI";
    case ValueKind::kIterator:
      return "Iterator";
    case ValueKind::kObject:
      return "Object";
    case ValueKind::kControl:
      return "Control";
  }
  return {};
}

// --- hashes -------------------------------------------------------------------------------------

const Value* HashObject::find(std::string_view key) const {
  if (index == nullptr) {
    for (const HashEntry& entry : *this) {
      if (entry.key.is_string() && same_short_text(entry.key.as_string(), key)) return &entry.value;
    }
    return nullptr;
  }
  for (uint32_t slot = hash_of_text(key) & index_mask;; slot = (slot + 1) & index_mask) {
    const uint32_t number = index[slot];
    if (number == 0) return nullptr;
    // A hash that grew out of this one may share the index: entries beyond this size are ignored.
    if (number > size) continue;
    const HashEntry& entry = entries[number - 1];
    if (entry.key.is_string() && same_short_text(entry.key.as_string(), key)) return &entry.value;
  }
}

const Value* HashObject::find(Value key) const {
  if (key.is_string()) return find(key.as_string());
  if (index == nullptr) {
    for (const HashEntry& entry : *this) {
      if (identical(entry.key, key)) return &entry.value;
    }
    return nullptr;
  }
  for (uint32_t slot = hash_of(key) & index_mask;; slot = (slot + 1) & index_mask) {
    const uint32_t number = index[slot];
    if (number == 0) return nullptr;
    if (number > size) continue;
    const HashEntry& entry = entries[number - 1];
    if (identical(entry.key, key)) return &entry.value;
  }
}

HashBuilder::HashBuilder(Arena& arena, size_t expected_size) : arena_(arena) {
  if (expected_size == 0) return;
  capacity_ = static_cast<uint32_t>(expected_size);
  entries_ = arena_.make_array<HashEntry>(capacity_);
}

void HashBuilder::grow() {
  const uint32_t capacity = capacity_ == 0 ? 8 : capacity_ * 2;
  check_size(capacity);
  HashEntry* larger = arena_.make_array<HashEntry>(capacity);
  if (size_ > 0) std::memcpy(static_cast<void*>(larger), entries_, size_ * sizeof(HashEntry));
  entries_ = larger;
  capacity_ = capacity;
}

void HashBuilder::index_all() {
  uint32_t slots = 32;
  while (slots < size_t{std::max(size_, capacity_)} * 2) slots *= 2;
  index_mask_ = slots - 1;
  index_ = arena_.make_array<uint32_t>(slots);
  std::memset(index_, 0, slots * sizeof(uint32_t));
  for (uint32_t i = 0; i < size_; ++i) {
    uint32_t slot = hash_of(entries_[i].key) & index_mask_;
    while (index_[slot] != 0) slot = (slot + 1) & index_mask_;
    index_[slot] = i + 1;
  }
}

Value* HashBuilder::find(Value key) {
  const HashObject view{size_, index_mask_, entries_, index_};
  return const_cast<Value*>(view.find(key));
}

void HashBuilder::set(Value key, Value value) {
  if (Value* present = find(key)) {
    *present = value;
    return;
  }
  if (size_ == capacity_) grow();
  entries_[size_++] = {key, value};
  if (index_ == nullptr) {
    if (size_ > kLargestUnindexed) index_all();
    return;
  }
  if (size_t{size_} * 2 > size_t{index_mask_} + 1) {
    index_all();
    return;
  }
  uint32_t slot = hash_of(key) & index_mask_;
  while (index_[slot] != 0) slot = (slot + 1) & index_mask_;
  index_[slot] = size_;
}

void HashBuilder::set_all(const HashObject& other) {
  for (const HashEntry& entry : other) set(entry.key, entry.value);
}

bool HashBuilder::erase(Value key) {
  Value* present = find(key);
  if (present == nullptr) return false;
  HashEntry* entry =
      reinterpret_cast<HashEntry*>(reinterpret_cast<char*>(present) - offsetof(HashEntry, value));
  std::copy(entry + 1, entries_ + size_, entry);
  --size_;
  // The indices of entries have changed.
  if (index_ != nullptr) index_all();
  return true;
}

Value HashBuilder::finish() {
  return Value::hash(arena_.make<HashObject>(size_, index_mask_, entries_, index_));
}

void ArrayBuilder::reserve(size_t capacity) {
  if (capacity <= capacity_) return;
  check_size(capacity);
  Value* larger = arena_.make_array<Value>(capacity);
  if (size_ > 0) std::memcpy(static_cast<void*>(larger), items_, size_ * sizeof(Value));
  items_ = larger;
  capacity_ = static_cast<uint32_t>(capacity);
}

}  // namespace bunraku
