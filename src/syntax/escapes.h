// Escape sequences of quoted strings and heredocs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

// The escapes that a text takes, one bit each.
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
  kEscapeLineEnd = 512,  // a backslash at the end of a line joins it with the next
};
using EscapeSet = uint16_t;

inline constexpr EscapeSet kDoubleQuotedEscapes = 1023;

struct EscapeMistake {
  enum class Kind : uint8_t { kUnrecognized, kIncompleteUnicode };
  Kind kind;
  std::string character;  // what follows the backslash
  // Of the backslash, in the text before any escape was replaced; nothing for a backslash that an
  // escape made.
  std::optional<size_t> offset = {};
};

struct Unescaped {
  std::string text;
  std::vector<EscapeMistake> mistakes;  // which the reference only warns of
  bool is_invalid = false;              // an escape names a character that does not exist
};

// The text with its escapes replaced. An escape that is not in `escapes` stays as it is.
Unescaped unescape(std::string_view text, EscapeSet escapes);
// Replaces \\ and \' only.
std::string unescape_single_quoted(std::string_view text);

}  // namespace bunraku
