// Strings and regular expressions as shown by Ruby.
#include "base/text/ruby_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "base/text/utf8.h"

namespace bunraku {

namespace {

// Approximately Ruby's printable characters: all of Unicode but controls, surrogates and
// noncharacters without a glyph.
bool is_printable(char32_t c) {
  if (c < 0x20 || c == 0x7f) return false;
  if (c >= 0x80 && c < 0xa0) return false;
  if (c == 0x2028 || c == 0x2029) return false;
  if ((c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef)) return false;
  return c != kInvalidCharacter;
}

// The letter in a control character's escape; 0 when it has none.
char escape_letter(char32_t c) {
  switch (c) {
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\f':
      return 'f';
    case '\v':
      return 'v';
    case '\b':
      return 'b';
    case '\a':
      return 'a';
    case 0x1b:
      return 'e';
    default:
      return 0;
  }
}

void append_escaped_character(std::string& out, char32_t c, bool only_ascii = false) {
  if (const char letter = escape_letter(c)) {
    out += '\\';
    out += letter;
  } else if (c < 0x80 && only_ascii) {
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<uint32_t>(c));
  } else if (c <= 0xffff) {
    fmt::format_to(std::back_inserter(out), "\\u{:04X}", static_cast<uint32_t>(c));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}", static_cast<uint32_t>(c));
  }
}

}  // namespace

namespace {

// Returns whether the character is unescaped in every context.
bool is_shown_as_is(char c) {
  return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '#';
}

void append_inspected(std::string& out, std::string_view text, bool only_ascii) {
  out += '"';
  // Most texts have only such characters.
  size_t at = static_cast<size_t>(std::ranges::find_if_not(text, is_shown_as_is) - text.begin());
  out.append(text, 0, at);
  while (at < text.size()) {
    const size_t start = at;
    const char32_t c = next_character(text, at);
    const std::string_view bytes = text.substr(start, at - start);
    if (c == kInvalidCharacter) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(bytes[0]));
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += bytes;
    } else if (c == '#') {
      const bool interpolates =
          at < text.size() && (text[at] == '{' || text[at] == '$' || text[at] == '@');
      out += interpolates ? "\\#" : "#";
    } else if (is_printable(c) && (c < 0x80 || !only_ascii)) {
      out += bytes;
    } else {
      append_escaped_character(out, c, only_ascii);
    }
  }
  out += '"';
}

}  // namespace

void append_ruby_inspect(std::string& out, std::string_view text) {
  append_inspected(out, text, false);
}

bool has_byte_escape(char c) {
  constexpr std::string_view kWithLetters = "\a\b\t\n\v\f\r\x1b";
  return c == '\x7f' ||
         (static_cast<unsigned char>(c) < ' ' && kWithLetters.find(c) == std::string_view::npos);
}

void append_ruby_dump(std::string& out, std::string_view text) {
  append_inspected(out, text, true);
}

namespace {

// Escapes characters that would end a literal or are not printable.
void append_regexp_source(std::string& out, std::string_view source) {
  size_t at = 0;
  while (at < source.size()) {
    const size_t start = at;
    char32_t c = next_character(source, at);
    const std::string_view bytes = source.substr(start, at - start);
    if (c == '\\' && at < source.size()) {
      next_character(source, at);
      out += source.substr(start, at - start);
    } else if (c == '/') {
      out += "\\/";
    } else if (c == kInvalidCharacter) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(bytes[0]));
    } else if (is_printable(c) || is_space(c)) {
      out += bytes;
    } else if (c < 0x80) {
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<uint32_t>(c));
    } else {
      append_escaped_character(out, c);
    }
  }
}

// Returns whether it has a character beyond ASCII, directly or as \uXXXX. Ruby then fixes the
// encoding, which is an option of the expression, and shows expressions with options in a group.
bool has_fixed_encoding(std::string_view source) {
  for (size_t at = 0; at < source.size(); ++at) {
    if (static_cast<unsigned char>(source[at]) >= 0x80) return true;
    if (source[at] != '\\' || ++at >= source.size() || source[at] != 'u') continue;
    size_t digits = at + 1;
    if (digits < source.size() && source[digits] == '{') ++digits;
    uint32_t code = 0;
    std::from_chars(source.data() + digits, source.data() + source.size(), code, 16);
    if (code >= 0x80) return true;
  }
  return false;
}

}  // namespace

void append_regexp_group(std::string& out, std::string_view source) {
  out += "(?-mix:";
  append_regexp_source(out, source);
  out += ')';
}

void append_ruby_inspect_regexp(std::string& out, std::string_view source) {
  out += '/';
  append_regexp_source(out, source);
  out += '/';
}

void append_regexp_literal(std::string& out, std::string_view source) {
  if (!has_fixed_encoding(source)) return append_ruby_inspect_regexp(out, source);
  out += '/';
  append_regexp_group(out, source);
  out += '/';
}

std::string regexp_text(std::string_view source) {
  if (!has_fixed_encoding(source)) return std::string(source);
  return "(?-imx:" + std::string(source) + ")";
}

void append_quoted(std::string& out, std::string_view text, bool double_quotes) {
  for (const unsigned char c : text) {
    if (double_quotes) break;
    if (c < 0x20) double_quotes = true;
  }
  if (!double_quotes) {
    out += '\'';
    for (size_t i = 0; i < text.size(); i++) {
      const char c = text[i];
      if (c == '\'') {
        out += "\\'";
      } else if (c == '\\') {
        // The backslash and the character after it are shown unchanged, also a second backslash; so
        // is a backslash at the end.
        out += '\\';
        if (i + 1 < text.size()) out += text[++i];
      } else {
        out += c;
      }
    }
    out += '\'';
    return;
  }
  out += '"';
  for (char c : text) {
    switch (c) {
      case '\t':
        out += "\\t";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '"':
        out += "\\\"";
        break;
      case '$':
        out += "\\$";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

}  // namespace bunraku
