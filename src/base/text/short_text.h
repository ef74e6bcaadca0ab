// Comparison of texts that are mostly short, such as keys of hashes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace bunraku {

// Returns whether the first and the last Word of both are equal. `size` is at least that of a Word.
template <typename Word>
bool same_words(const char* a, const char* b, size_t size) {
  Word first_of_a, first_of_b, last_of_a, last_of_b;
  std::memcpy(&first_of_a, a, sizeof(Word));
  std::memcpy(&first_of_b, b, sizeof(Word));
  std::memcpy(&last_of_a, a + size - sizeof(Word), sizeof(Word));
  std::memcpy(&last_of_b, b + size - sizeof(Word), sizeof(Word));
  return first_of_a == first_of_b && last_of_a == last_of_b;
}

// Returns whether the texts are equal. Reading two possibly overlapping words is faster than a call
// of memcmp.
inline bool same_short_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  if (a.data() == b.data()) return true;
  const size_t size = a.size();
  if (size > 16) return std::memcmp(a.data(), b.data(), size) == 0;
  if (size >= 8) return same_words<uint64_t>(a.data(), b.data(), size);
  if (size >= 4) return same_words<uint32_t>(a.data(), b.data(), size);
  if (size >= 2) return same_words<uint16_t>(a.data(), b.data(), size);
  return size == 0 || a[0] == b[0];
}

}  // namespace bunraku
