// Arrays, hashes and texts that grow by `$memo + [...]`, `$memo + {...}` and "${memo}...": the
// newest one grows in place, so that building a collection in a loop takes linear time. Older
// values still see their own number of elements. Internal to this room.
#pragma once

#include <string_view>

#include "values/value.h"

namespace bunraku {

class GrowingArray {
 public:
  // Returns left + right.
  Value append(Arena& arena, std::span<const Value> left, std::span<const Value> right);

 private:
  Value* items_ = nullptr;  // of the newest array
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class GrowingText {
 public:
  // Returns a copy of `text`, which begins with `left` (empty: not a growing text).
  std::string_view extend(Arena& arena, std::string_view left, std::string_view text);

 private:
  char* characters_ = nullptr;  // of the newest text with spare capacity
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class GrowingHash {
 public:
  // Returns left with the entries of right added.
  Value merge(Arena& arena, const HashObject& left, const HashObject& right);

 private:
  void copy(Arena& arena, const HashObject& left, size_t added);
  void index_all(Arena& arena);
  void set(const HashEntry& entry);

  HashEntry* entries_ = nullptr;  // of the newest hash
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t* index_ = nullptr;
  uint32_t mask_ = 0;
};

}  // namespace bunraku
