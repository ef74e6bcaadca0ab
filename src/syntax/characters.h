// Classes of bytes by the rules of Ruby's regular expressions, and the few Unicode classes that the
// lexer needs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bunraku::characters {

enum Class : uint8_t {
  kLower = 1,
  kUpper = 2,
  kDigit = 4,
  kUnderscore = 8,
  kHex = 16,
  kBlank = 32,  // space and tab
};

inline constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (int c = 'a'; c <= 'z'; ++c) classes[c] = kLower;
  for (int c = 'A'; c <= 'Z'; ++c) classes[c] = kUpper;
  for (int c = '0'; c <= '9'; ++c) classes[c] = kDigit | kHex;
  for (int c = 'a'; c <= 'f'; ++c) classes[c] |= kHex;
  for (int c = 'A'; c <= 'F'; ++c) classes[c] |= kHex;
  classes['_'] = kUnderscore;
  classes[' '] = kBlank;
  classes['\t'] = kBlank;
  return classes;
}();

inline bool is(char c, uint8_t classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}
// \w, which is ASCII only in Ruby.
inline bool is_word(char c) {
  return is(c, kLower | kUpper | kDigit | kUnderscore);
}
inline bool is_digit(char c) {
  return is(c, kDigit);
}
inline bool is_hex(char c) {
  return is(c, kHex);
}

// The length of the blank ([[:blank:]], with Unicode) at `at`; 0 when there is none.
inline size_t blank_length(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x80) return is(text[at], kBlank) ? 1 : 0;
  if (c == 0xC2) return at + 1 < text.size() && text[at + 1] == '\xA0' ? 2 : 0;
  if (at + 2 >= text.size()) return 0;
  auto second = static_cast<unsigned char>(text[at + 1]);
  auto third = static_cast<unsigned char>(text[at + 2]);
  bool is_blank = (c == 0xE1 && second == 0x9A && third == 0x80) ||
                  (c == 0xE2 && second == 0x80 && (third <= 0x8A || third == 0xAF)) ||
                  (c == 0xE2 && second == 0x81 && third == 0x9F) ||
                  (c == 0xE3 && second == 0x80 && third == 0x80);
  return is_blank ? 3 : 0;
}

// The length of the blank before `end`; 0 when there is none.
inline size_t blank_length_before(std::string_view text, size_t end) {
  if (end == 0) return 0;
  if (static_cast<unsigned char>(text[end - 1]) < 0x80) return is(text[end - 1], kBlank) ? 1 : 0;
  for (size_t length = 2; length <= 3 && length <= end; ++length) {
    if (blank_length(text, end - length) == length) return length;
  }
  return 0;
}

// The length of the UTF-8 character at `at`, which is valid and not the end.
inline size_t character_length(std::string_view text, size_t at) {
  auto c = static_cast<unsigned char>(text[at]);
  size_t length = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
  return at + length <= text.size() ? length : text.size() - at;
}

}  // namespace bunraku::characters
