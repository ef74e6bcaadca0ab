#include "base/text/utf8.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/text/ascii.h"

namespace bunraku {
namespace {

// Every `stride`th character from `first` to `last` maps by adding `delta`.
struct CaseRun {
  char32_t first;
  char32_t last;
  int32_t stride;
  int32_t delta;
};
// A character that maps to several.
struct SpecialCase {
  char32_t character;
  const char* mapped;
};
struct CharacterRange {
  char32_t first;
  char32_t last;
};

#include "base/text/unicode_tables.inc"

struct CaseTable {
  const CaseRun* runs;
  const CaseRun* runs_end;
  const SpecialCase* special;
  const SpecialCase* special_end;
};

template <typename Runs, typename Special>
constexpr CaseTable case_table(const Runs& runs, const Special& special) {
  return {std::begin(runs), std::end(runs), std::begin(special), std::end(special)};
}

constexpr CaseTable kUpper = case_table(kUpperRuns, kUpperSpecial);
constexpr CaseTable kLower = case_table(kLowerRuns, kLowerSpecial);
constexpr CaseTable kTitle = case_table(kTitleRuns, kTitleSpecial);
constexpr CaseTable kSwap = case_table(kSwapRuns, kSwapSpecial);

void append_mapped(std::string& result, char32_t c, const CaseTable& table) {
  const SpecialCase* special = std::lower_bound(
      table.special, table.special_end, c,
      [](const SpecialCase& entry, char32_t key) { return entry.character < key; });
  if (special != table.special_end && special->character == c) {
    result += special->mapped;
    return;
  }
  const CaseRun* run =
      std::lower_bound(table.runs, table.runs_end, c,
                       [](const CaseRun& entry, char32_t key) { return entry.last < key; });
  const bool is_mapped = run != table.runs_end && run->first <= c &&
                         (c - run->first) % static_cast<char32_t>(run->stride) == 0;
  append_character(result, is_mapped ? c + static_cast<char32_t>(run->delta) : c);
}

constexpr char to_upper(char c) {
  return is_lower(c) ? static_cast<char>(c - 32) : c;
}
constexpr char to_swapped(char c) {
  return is_upper(c) ? to_lower(c) : to_upper(c);
}

// Maps the character at `offset`: an ASCII one by `ascii`, others by `table`.
template <char (*ascii)(char)>
void map_one(std::string& result, std::string_view text, size_t& offset, const CaseTable& table) {
  const char byte = text[offset];
  if (static_cast<unsigned char>(byte) < 0x80) {
    result += ascii(byte);
    ++offset;
    return;
  }
  const char32_t c = next_character(text, offset);
  if (c == kInvalidCharacter) {
    result += byte;
  } else {
    append_mapped(result, c, table);
  }
}

// The bytes that the compiler maps at once.
constexpr size_t kBlock = 8;

// Returns whether the N bytes at `text` are all ASCII.
template <size_t N>
bool is_ascii(const char* text) {
  uint64_t words[N / sizeof(uint64_t)];
  std::memcpy(words, text, N);
  uint64_t bits = 0;
  for (const uint64_t word : words) bits |= word;
  return (bits & 0x8080808080808080ull) == 0;
}

// Returns the end of the ASCII text at `offset`. Texts are mostly ASCII, and blocks are as fast as
// a library's vectors, without the library.
size_t ascii_end(std::string_view text, size_t offset) {
  while (offset + 64 <= text.size() && is_ascii<64>(text.data() + offset)) offset += 64;
  while (offset + 8 <= text.size() && is_ascii<8>(text.data() + offset)) offset += 8;
  while (offset < text.size() && static_cast<unsigned char>(text[offset]) < 0x80) ++offset;
  return offset;
}

// Maps the text from `offset` on, ASCII by blocks and bytes.
template <char (*ascii)(char)>
void map_rest(std::string& result, std::string_view text, size_t offset, const CaseTable& table) {
  size_t end = ascii_end(text, offset);
  char* mapped = result.append(text, offset, end - offset).data() + result.size() - (end - offset);
  size_t left = end - offset;
  for (; left >= kBlock; left -= kBlock, mapped += kBlock) {
    for (size_t i = 0; i < kBlock; ++i) mapped[i] = ascii(mapped[i]);
  }
  for (size_t i = 0; i < left; ++i) mapped[i] = ascii(mapped[i]);
  while (end < text.size()) map_one<ascii>(result, text, end, table);
}

template <char (*ascii)(char)>
std::string map_all(std::string_view text, const CaseTable& table) {
  std::string result;
  result.reserve(text.size());
  map_rest<ascii>(result, text, 0, table);
  return result;
}

template <size_t N>
bool is_in(const CharacterRange (&ranges)[N], char32_t c) {
  const CharacterRange* range =
      std::lower_bound(std::begin(ranges), std::end(ranges), c,
                       [](const CharacterRange& entry, char32_t key) { return entry.last < key; });
  return range != std::end(ranges) && range->first <= c;
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  return valid_utf8_prefix(text) == text.size();
}

size_t valid_utf8_prefix(std::string_view text) {
  size_t offset = 0;
  while ((offset = ascii_end(text, offset)) < text.size()) {
    const size_t start = offset;
    if (next_character(text, offset) == kInvalidCharacter) return start;
  }
  return offset;
}

size_t character_count(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += is_continuation(c) ? 0 : 1;
  return count;
}

size_t offset_of_place(std::string_view text, size_t line, size_t column) {
  size_t start = 0;
  for (; line > 1; --line) {
    const size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return text.size();
    start = end + 1;
  }
  return start + offset_of_character(text.substr(start), column == 0 ? 0 : column - 1);
}

size_t offset_of_character(std::string_view text, size_t index) {
  size_t offset = 0;
  for (; index > 0 && offset < text.size(); --index) {
    ++offset;
    while (offset < text.size() && is_continuation(text[offset])) ++offset;
  }
  return offset;
}

char32_t next_character(std::string_view text, size_t& offset) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[offset + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    ++offset;
    return first;
  }
  const size_t length = character_length(first);
  char32_t c = length == 2 ? first & 0x1F : length == 3 ? first & 0x0F : first & 0x07;
  bool is_valid = length > 1 && offset + length <= text.size();
  for (size_t i = 1; is_valid && i < length; ++i) {
    is_valid = is_continuation(text[offset + i]);
    c = (c << 6) | (byte(i) & 0x3F);
  }
  // Overlong forms and halves of surrogate pairs are invalid.
  if (length == 3 && (c < 0x800 || (c >= 0xD800 && c <= 0xDFFF))) is_valid = false;
  if (length == 4 && (c < 0x10000 || c > 0x10FFFF)) is_valid = false;
  offset += is_valid ? length : 1;
  return is_valid ? c : kInvalidCharacter;
}

bool append_character(std::string& text, char32_t c) {
  auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | (c >> 6));
    add(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    if (c >= 0xD800 && c <= 0xDFFF) return false;
    add(0xE0 | (c >> 12));
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  } else if (c <= 0x10FFFF) {
    add(0xF0 | (c >> 18));
    add(0x80 | ((c >> 12) & 0x3F));
    add(0x80 | ((c >> 6) & 0x3F));
    add(0x80 | (c & 0x3F));
  } else {
    return false;
  }
  return true;
}

std::string upcase(std::string_view text) {
  return map_all<to_upper>(text, kUpper);
}
std::string downcase(std::string_view text) {
  return map_all<to_lower>(text, kLower);
}
std::string swapcase(std::string_view text) {
  return map_all<to_swapped>(text, kSwap);
}

std::string capitalize(std::string_view text) {
  if (text.empty()) return {};
  std::string result;
  result.reserve(text.size());
  size_t offset = 0;
  map_one<to_upper>(result, text, offset, kTitle);
  map_rest<to_lower>(result, text, offset, kLower);
  return result;
}

bool is_blank(char32_t c) {
  return is_in(kBlank, c);
}
bool is_space(char32_t c) {
  return is_in(kSpace, c);
}

int display_width(char32_t c) {
  if (c >= 0x20 && c < 0x7F) return 1;
  if (is_in(kZeroWidth, c)) return 0;
  return is_in(kWide, c) ? 2 : 1;
}

std::string replace_invalid_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string result;
  result.reserve(text.size() + 16);
  for (size_t offset = 0; offset < text.size();) {
    const size_t start = offset;
    if (next_character(text, offset) == kInvalidCharacter) {
      result += "\xEF\xBF\xBD";
    } else {
      result += text.substr(start, offset - start);
    }
  }
  return result;
}

}  // namespace bunraku
