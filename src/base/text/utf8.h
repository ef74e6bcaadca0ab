// UTF-8 text: validity, characters, letter case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bunraku {

bool is_valid_utf8(std::string_view text);

// How many bytes of `text`, from its start, are valid; text.size() when all are.
size_t valid_utf8_prefix(std::string_view text);

// Characters (code points) in valid text; in invalid text, bytes that begin one.
size_t character_count(std::string_view text);

// The byte offset of character number `index` (from 0); text.size() when there are not so many.
size_t offset_of_character(std::string_view text, size_t index);

// The byte offset of a place given by line and column of characters, both from 1; that of the end
// when the text has no such place.
size_t offset_of_place(std::string_view text, size_t line, size_t column);

// How many bytes the character takes that begins with `first`; 1 for a byte that begins none.
constexpr size_t character_length(unsigned char first) {
  if (first < 0xC2) return 1;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 1;
}

constexpr char32_t kInvalidCharacter = 0xFFFFFFFF;

// The character at `offset`, and moves `offset` behind it. A byte that is no part of a valid
// character gives kInvalidCharacter and is stepped over. Needs offset < text.size().
char32_t next_character(std::string_view text, size_t& offset);

// False, and nothing appended, for surrogates and what lies beyond U+10FFFF.
bool append_character(std::string& text, char32_t character);

// Ruby's String#upcase, #downcase, #capitalize and #swapcase with full Unicode mapping ("ß" becomes
// "SS"). Bytes that are not UTF-8 stay as they are.
std::string upcase(std::string_view text);
std::string downcase(std::string_view text);
std::string capitalize(std::string_view text);
std::string swapcase(std::string_view text);

// Ruby's [[:blank:]]: tabulator and Unicode's space separators.
bool is_blank(char32_t character);
// Ruby's [[:space:]]: Unicode's white space.
bool is_space(char32_t character);

// Columns a terminal uses for the character: 0 for combining marks and controls, 2 for East Asian
// wide ones and emoji, else 1.
int display_width(char32_t character);

// `text` with each invalid byte replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

}  // namespace bunraku
