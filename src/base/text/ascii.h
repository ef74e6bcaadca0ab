// Classes of ASCII characters, for texts whose other characters have no meaning. Bytes of UTF-8
// characters beyond ASCII belong to no class.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bunraku {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_letter(char c) {
  return is_lower(c) || is_upper(c);
}
// Ruby's \w.
constexpr bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
// Ruby's \s.
constexpr std::string_view kWhiteCharacters = " \t\n\v\f\r";
constexpr bool is_white(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The letters A to Z in lower case. For all letters: downcase() of utf8.h.
constexpr char to_lower(char c) {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

// The text without the characters of the set at its beginning and end.
constexpr std::string_view trimmed(std::string_view text,
                                   std::string_view characters = kWhiteCharacters) {
  const size_t begin = text.find_first_not_of(characters);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}
// Ruby's String#strip, which removes zero bytes as well.
constexpr std::string_view stripped(std::string_view text) {
  return trimmed(text, std::string_view(" \t\n\v\f\r\0", 7));
}

}  // namespace bunraku
