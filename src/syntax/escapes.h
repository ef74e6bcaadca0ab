// Escape sequences of quoted strings and heredocs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// The supported escapes of a text, one bit each.
enum Escape : uint16_t {
  kEscapeBackslash = 1,
  kEscapeDollar = 2,
  kEscapeSingleQuote = 4,
  kEscapeDoubleQuote = 8,
  kEscapeReturn = 16,
  kEscapeNewline = 32,
  kEscapeTab = 64,
  kEscapeSpace = 128,
  kEscapeUnicode = 256,
  kEscapeLineEnd = 512,  // a backslash at the end of a line joins it with the next line
};
using EscapeSet = uint16_t;

inline constexpr EscapeSet kDoubleQuotedEscapes = 1023;

struct EscapeMistake {
  enum class Kind : uint8_t { kUnrecognized, kIncompleteUnicode };
  Kind kind;
  std::string character;  // the character after the backslash
  // The offset of the backslash in the source text; nothing for a backslash that resulted from an
  // escape.
  std::optional<size_t> offset = {};
};

struct Unescaped {
  std::string text;
  std::vector<EscapeMistake> mistakes;  // for which the reference only warns
  bool is_invalid = false;              // an escape is of a character that does not exist
};

// Replaces the escapes in the text. An escape that is not in `escapes` is unchanged.
Unescaped unescape(std::string_view text, EscapeSet escapes);
// Replaces \\ and \' only.
std::string unescape_single_quoted(std::string_view text);

}  // namespace bunraku
