// Arrays, hashes and texts that grow by `$memo + [...]`, `$memo + {...}` and "${memo}...": what is
// added to the newest one goes behind its last element in the same memory, so that building a
// collection in a loop takes linear time. Older values see as many elements as before. Not for
// other rooms.
#pragma once

#include <string_view>

#include "values/value.h"

namespace bunraku {

class GrowingArray {
 public:
  // left + right
  Value append(Arena& arena, std::span<const Value> left, std::span<const Value> right);

 private:
  Value* items_ = nullptr;  // of the array made last
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class GrowingText {
 public:
  // A copy of `text`, which begins with `left` (empty: with no text that grows).
  std::string_view extend(Arena& arena, std::string_view left, std::string_view text);

 private:
  char* characters_ = nullptr;  // of the text made last that had room to spare
  size_t size_ = 0;
  size_t capacity_ = 0;
};

class GrowingHash {
 public:
  // left with the entries of right set in it.
  Value merge(Arena& arena, const HashObject& left, const HashObject& right);

 private:
  void copy(Arena& arena, const HashObject& left, size_t added);
  void index_all(Arena& arena);
  void set(const HashEntry& entry);

  HashEntry* entries_ = nullptr;  // of the hash made last
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t* index_ = nullptr;
  uint32_t mask_ = 0;
};

}  // namespace bunraku
