// An index of names in a growing list: short lists are searched linearly, long ones have a hash
// table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/memory/arena.h"
#include "base/memory/name.h"

namespace bunraku {

// Belongs to a list of at most 2^31 named items. Its table is in an arena, so that it needs no
// destructor.
class NameIndex {
 public:
  static constexpr size_t kNowhere = SIZE_MAX;

  // Must be called after each item that is added to the list. `name_at` returns the name of the
  // item at a position.
  template <typename NameAt>
  void extend(Arena& arena, size_t count, NameAt name_at) {
    if (count <= kSearched) return;
    if (count * 2 > slot_count_) {
      slot_count_ = static_cast<uint32_t>(std::bit_ceil(count * 4));
      slots_ = arena.make_array<uint32_t>(slot_count_);
      std::fill_n(slots_, slot_count_, 0);
      indexed_ = 0;
    }
    for (; indexed_ < count; ++indexed_) {
      uint32_t* slot = slot_of(name_at(indexed_), name_at);
      if (*slot == 0) *slot = indexed_ + 1;
    }
  }

  // Returns the position of the first item with the name, or kNowhere.
  template <typename NameAt>
  size_t find(Name name, size_t count, NameAt name_at) const {
    if (indexed_ < count) {
      for (size_t i = 0; i < count; ++i) {
        if (name_at(i) == name) return i;
      }
      return kNowhere;
    }
    if (count == 0) return kNowhere;
    const uint32_t found = *slot_of(name, name_at);
    return found == 0 ? kNowhere : found - 1;
  }

 private:
  static constexpr size_t kSearched = 16;

  // Returns the slot of the name, or the free one for it.
  template <typename NameAt>
  uint32_t* slot_of(Name name, NameAt name_at) const {
    const uint32_t mask = slot_count_ - 1;
    uint32_t at = name.hash() & mask;
    while (slots_[at] != 0 && name_at(slots_[at] - 1) != name) at = (at + 1) & mask;
    return &slots_[at];
  }

  uint32_t* slots_ = nullptr;
  uint32_t slot_count_ = 0;
  uint32_t indexed_ = 0;
};

}  // namespace bunraku
