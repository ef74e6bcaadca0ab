// The bytes of a text that need no escape in a JSON string. Internal to the reader and the writer.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bunraku {

inline bool is_usual(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

// Marks each of `kCount` bytes that needs an escape or a check in JSON. As signed numbers, control
// characters and all bytes beyond ASCII are below the space.
template <size_t kCount>
std::array<uint64_t, (kCount + 7) / 8> unusual_bytes(const char* text) {
  typedef signed char Bytes __attribute__((vector_size(kCount)));
  Bytes bytes;
  std::memcpy(&bytes, text, kCount);
  const Bytes unusual = (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
  std::array<uint64_t, (kCount + 7) / 8> words{};
  std::memcpy(words.data(), &unusual, kCount);
  return words;
}

// The number of plain bytes at the start.
inline size_t plain_length(std::string_view text) {
  static_assert(std::endian::native == std::endian::little);
  size_t i = 0;
  for (; i + 16 <= text.size(); i += 16) {
    const auto [low, high] = unusual_bytes<16>(text.data() + i);
    if (low != 0) return i + static_cast<size_t>(std::countr_zero(low)) / 8;
    if (high != 0) return i + 8 + static_cast<size_t>(std::countr_zero(high)) / 8;
  }
  while (i < text.size() && is_usual(text[i])) ++i;
  return i;
}

}  // namespace bunraku
