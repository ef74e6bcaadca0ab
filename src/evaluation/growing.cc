#include "evaluation/growing.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace bunraku {

namespace {

// Smaller collections are copied without spare capacity.
constexpr size_t kSmall = 16;
// The same for texts, in bytes.
constexpr size_t kSmallText = 256;

size_t capacity_for(size_t size) {
  return size < kSmall ? size : size + size / 2;
}

}  // namespace

Value GrowingArray::append(Arena& arena, std::span<const Value> left,
                           std::span<const Value> right) {
  const size_t size = left.size() + right.size();
  check_size(size);
  const bool is_newest = items_ != nullptr && left.data() == items_ && left.size() == size_;
  if (!is_newest || size > capacity_) {
    capacity_ = capacity_for(size);
    items_ = arena.make_array<Value>(capacity_);
    // NOLINTNEXTLINE(modernize-use-ranges): the capacity is known.
    std::uninitialized_copy(left.begin(), left.end(), items_);
  }
  // NOLINTNEXTLINE(modernize-use-ranges)
  std::uninitialized_copy(right.begin(), right.end(), items_ + left.size());
  size_ = size;
  return Value::array({items_, size_});
}

std::string_view GrowingText::extend(Arena& arena, std::string_view left, std::string_view text) {
  if (left.size() < kSmallText) return arena.copy(text);
  const bool is_newest = left.data() == characters_ && left.size() == size_;
  if (is_newest && text.size() <= capacity_) {
    std::ranges::copy(text.substr(size_), characters_ + size_);
  } else {
    capacity_ = text.size() + text.size() / 2;
    characters_ = arena.make_array<char>(capacity_);
    std::ranges::copy(text, characters_);
  }
  size_ = text.size();
  return {characters_, size_};
}

void GrowingHash::index_all(Arena& arena) {
  uint32_t slots = 32;
  while (slots < size_t{capacity_} * 2) slots *= 2;
  mask_ = slots - 1;
  index_ = arena.make_array<uint32_t>(slots);
  std::fill_n(index_, slots, 0);
  for (uint32_t i = 0; i < size_; ++i) {
    uint32_t slot = hash_of(entries_[i].key) & mask_;
    while (index_[slot] != 0) slot = (slot + 1) & mask_;
    index_[slot] = i + 1;
  }
}

void GrowingHash::copy(Arena& arena, const HashObject& left, size_t added) {
  check_size(left.size + added);
  capacity_ = static_cast<uint32_t>(capacity_for(left.size + added));
  size_ = left.size;
  entries_ = arena.make_array<HashEntry>(capacity_);
  if (size_ > 0) {
    std::memcpy(static_cast<void*>(entries_), left.entries, size_ * sizeof(HashEntry));
  }
  index_ = nullptr;
  mask_ = 0;
  if (capacity_ >= kSmall) index_all(arena);
}

void GrowingHash::set(const HashEntry& entry) {
  const HashObject view{size_, mask_, entries_, index_};
  if (const Value* present = view.find(entry.key)) {
    *const_cast<Value*>(present) = entry.value;
    return;
  }
  new (&entries_[size_++]) HashEntry(entry);
  if (index_ == nullptr) return;
  uint32_t slot = hash_of(entry.key) & mask_;
  while (index_[slot] != 0) slot = (slot + 1) & mask_;
  index_[slot] = size_;
}

Value GrowingHash::merge(Arena& arena, const HashObject& left, const HashObject& right) {
  const bool is_newest = entries_ != nullptr && left.entries == entries_ && left.size == size_;
  const bool fits = size_t{left.size} + right.size <= capacity_;
  const bool are_new = is_newest && fits && std::ranges::none_of(right, [&](const auto& entry) {
                         return left.find(entry.key) != nullptr;
                       });
  // An existing key must not change in the older value.
  if (!are_new) copy(arena, left, right.size);
  for (const HashEntry& entry : right) set(entry);
  return Value::hash(arena.make<HashObject>(size_, mask_, entries_, index_));
}

}  // namespace bunraku
