// The bytes of a JSON text that need no attention: within a string those without an escape, and
// white space elsewhere. Internal to the reader and the writer.
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

inline bool is_json_white(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Marks each of 16 bytes that is not white space.
inline std::array<uint64_t, 2> bytes_not_white(const char* text) {
  typedef signed char Bytes __attribute__((vector_size(16)));
  Bytes bytes;
  std::memcpy(&bytes, text, sizeof bytes);
  const Bytes others = ~((bytes == ' ') | (bytes == '\n') | (bytes == '\r') | (bytes == '\t'));
  std::array<uint64_t, 2> words{};
  std::memcpy(words.data(), &others, sizeof others);
  return words;
}

// The length of the text before its first marked byte. `marks` marks 16 bytes at once, and
// `is_other` returns whether a byte of the rest is marked.
template <typename Marks, typename IsOther>
size_t length_before(std::string_view text, Marks marks, IsOther is_other) {
  static_assert(std::endian::native == std::endian::little);
  size_t i = 0;
  for (; i + 16 <= text.size(); i += 16) {
    const auto [low, high] = marks(text.data() + i);
    if (low != 0) return i + static_cast<size_t>(std::countr_zero(low)) / 8;
    if (high != 0) return i + 8 + static_cast<size_t>(std::countr_zero(high)) / 8;
  }
  while (i < text.size() && !is_other(text[i])) ++i;
  return i;
}

// The number of plain bytes of a string at the start.
inline size_t plain_length(std::string_view text) {
  return length_before(text, unusual_bytes<16>, [](char c) { return !is_usual(c); });
}

// The number of white bytes at the start.
inline size_t white_length(std::string_view text) {
  return length_before(text, bytes_not_white, [](char c) { return !is_json_white(c); });
}

}  // namespace bunraku
