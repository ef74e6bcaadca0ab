// UTF-8 text: validity, characters, letter case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

bool is_valid_utf8(std::string_view text);

// The number of valid bytes at the start of `text`; text.size() when all are valid.
size_t valid_utf8_prefix(std::string_view text);

// The number of characters (code points) in valid text; in invalid text, of bytes that start one.
size_t character_count(std::string_view text);

// The byte offset of character number `index` (from 0); text.size() when there are fewer.
size_t offset_of_character(std::string_view text, size_t index);

// The byte offset of a place given by line and column of characters, both from 1; the end when the
// text has no such place.
size_t offset_of_place(std::string_view text, size_t line, size_t column);

// The length in bytes of the character that starts with `first`; 1 for a byte that starts none.
constexpr size_t character_length(unsigned char first) {
  if (first < 0xC2) return 1;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 1;
}

constexpr char32_t kInvalidCharacter = 0xFFFFFFFF;

// Returns the character at `offset`, and moves `offset` behind it. A byte that is not part of a
// valid character is returned as kInvalidCharacter and skipped. Needs offset < text.size().
char32_t next_character(std::string_view text, size_t& offset);

// Returns false and appends nothing for surrogates and values beyond U+10FFFF.
bool append_character(std::string& text, char32_t character);

// Ruby's String#upcase, #downcase, #capitalize and #swapcase with full Unicode mapping ("ß" becomes
// "SS"). Bytes that are not UTF-8 are unchanged.
std::string upcase(std::string_view text);
std::string downcase(std::string_view text);
std::string capitalize(std::string_view text);
std::string swapcase(std::string_view text);

// Ruby's [[:blank:]]: tab and Unicode's space separators.
bool is_blank(char32_t character);
// Ruby's [[:space:]]: Unicode's white space.
bool is_space(char32_t character);

// The columns of the character on a terminal: 0 for combining marks and controls, 2 for East Asian
// wide ones and emoji, else 1.
int display_width(char32_t character);

// Returns `text` with each invalid byte replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace bunraku
