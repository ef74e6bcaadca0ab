// A hash table from addresses to small values, for caches by names and tree nodes: one probe, no
// allocation for a hit.
#pragma once

#include <cstdint>
#include <memory>

namespace bunraku {

template <typename T>
class PointerTable {
 public:
  // Returns null when there is none. Valid until the next add().
  const T* find(const void* key) const {
    if (size_ == 0) return nullptr;
    for (size_t at = start(key);; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return &slots_[at].value;
      if (slots_[at].key == nullptr) return nullptr;
    }
  }
  // The key must not exist yet.
  const T& add(const void* key, T value) {
    if (size_ * 2 >= mask_) grow();
    ++size_;
    Slot& slot = free_slot(key);
    slot.key = key;
    slot.value = std::move(value);
    return slot.value;
  }

 private:
  struct Slot {
    const void* key = nullptr;
    T value{};
  };

  size_t start(const void* key) const {
    return (reinterpret_cast<uintptr_t>(key) * 0x9E3779B97F4A7C15u >> 32) & mask_;
  }
  Slot& free_slot(const void* key) {
    size_t at = start(key);
    while (slots_[at].key != nullptr) at = (at + 1) & mask_;
    return slots_[at];
  }
  void grow() {
    size_t count = mask_ == 0 ? 64 : (mask_ + 1) * 2;
    std::unique_ptr<Slot[]> old = std::move(slots_);
    size_t old_count = old ? mask_ + 1 : 0;
    slots_ = std::make_unique<Slot[]>(count);
    mask_ = count - 1;
    for (size_t i = 0; i < old_count; ++i) {
      if (old[i].key != nullptr) free_slot(old[i].key) = std::move(old[i]);
    }
  }

  std::unique_ptr<Slot[]> slots_;
  size_t mask_ = 0;
  size_t size_ = 0;
};

}  // namespace bunraku
