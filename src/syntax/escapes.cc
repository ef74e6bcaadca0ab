#include "syntax/escapes.h"

#include <algorithm>
#include <charconv>

#include "syntax/characters.h"

namespace bunraku {
namespace {

struct UnicodeEscape {
  size_t length = 0;  // of the text after the backslash; 0 when it is not an escape
  uint32_t character = 0;
};

// Reads uXXXX or u{X...} at `at`.
UnicodeEscape read_unicode(std::string_view text, size_t at) {
  if (at >= text.size() || text[at] != 'u') return {};
  size_t begin = at + 1;
  const bool has_braces = begin < text.size() && text[begin] == '{';
  if (has_braces) ++begin;
  size_t end = begin;
  const size_t limit = has_braces ? 6 : 4;
  while (end < text.size() && end - begin < limit && characters::is_hex(text[end])) ++end;
  if (has_braces ? (end == begin || end >= text.size() || text[end] != '}') : end - begin != 4) {
    return {};
  }
  UnicodeEscape result;
  std::from_chars(text.data() + begin, text.data() + end, result.character, 16);
  result.length = end + (has_braces ? 1 : 0) - at;
  return result;
}

void append_utf8(std::string& to, uint32_t character) {
  if (character < 0x80) {
    to += static_cast<char>(character);
  } else if (character < 0x800) {
    to += static_cast<char>(0xC0 | (character >> 6));
    to += static_cast<char>(0x80 | (character & 0x3F));
  } else if (character < 0x10000) {
    to += static_cast<char>(0xE0 | (character >> 12));
    to += static_cast<char>(0x80 | ((character >> 6) & 0x3F));
    to += static_cast<char>(0x80 | (character & 0x3F));
  } else {
    to += static_cast<char>(0xF0 | (character >> 18));
    to += static_cast<char>(0x80 | ((character >> 12) & 0x3F));
    to += static_cast<char>(0x80 | ((character >> 6) & 0x3F));
    to += static_cast<char>(0x80 | (character & 0x3F));
  }
}

// The reference replaces Unicode escapes in rounds, before all others: one round replaces no two
// adjacent ones, and a backslash that results from one takes part in the next round.
bool replace_unicode_round(const std::string& text, std::string& to, bool& is_invalid) {
  bool replaced = false;
  size_t after_last = std::string::npos;  // the end of the last replaced escape
  to.clear();
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      to += text[i++];
      continue;
    }
    const size_t run = i;
    while (i < text.size() && text[i] == '\\') ++i;
    UnicodeEscape escape;
    if ((i - run) % 2 == 1 && run != after_last) escape = read_unicode(text, i);
    if (escape.length == 0) {
      to.append(text, run, i - run);
      continue;
    }
    to.append(text, run, i - run - 1);
    if (escape.character > 0x10FFFF || (escape.character >= 0xD800 && escape.character < 0xE000)) {
      is_invalid = true;
      return false;
    }
    append_utf8(to, escape.character);
    i += escape.length;
    after_last = i;
    replaced = true;
  }
  return replaced;
}

EscapeSet escape_of(char c) {
  switch (c) {
    case '\\':
      return kEscapeBackslash;
    case '$':
      return kEscapeDollar;
    case '\'':
      return kEscapeSingleQuote;
    case '"':
      return kEscapeDoubleQuote;
    case 'r':
      return kEscapeReturn;
    case 'n':
      return kEscapeNewline;
    case 't':
      return kEscapeTab;
    case 's':
      return kEscapeSpace;
    case 'u':
      return kEscapeUnicode;
    case '\n':
      return kEscapeLineEnd;
    default:
      return 0;
  }
}

// Finds the offsets of the errors, which are in order, in the source text.
void place_mistakes(std::vector<EscapeMistake>& mistakes, std::string_view source) {
  size_t from = 0;
  for (EscapeMistake& mistake : mistakes) {
    for (size_t at = source.find('\\', from); at < source.size(); at = source.find('\\', at)) {
      const UnicodeEscape unicode = read_unicode(source, at + 1);
      if (unicode.length == 0 && source.substr(at + 1).starts_with(mistake.character)) {
        mistake.offset = at;
        from = at + 1 + mistake.character.size();
        break;
      }
      at += 1 + std::max<size_t>(unicode.length, 1);
    }
  }
}

}  // namespace

Unescaped unescape(std::string_view source, EscapeSet escapes) {
  Unescaped result;
  std::string text(source);
  if ((escapes & kEscapeUnicode) != 0 && text.find("\\u") != std::string::npos) {
    std::string next;
    while (replace_unicode_round(text, next, result.is_invalid)) text.swap(next);
    if (result.is_invalid) return result;
  }
  result.text.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t backslash = text.find('\\', i);
    if (backslash == std::string::npos || backslash + 1 >= text.size()) {
      result.text.append(text, i);
      break;
    }
    result.text.append(text, i, backslash - i);
    char c = text[backslash + 1];
    size_t length = characters::character_length(text, backslash + 1);
    if (c == '\r') {
      if (backslash + 2 >= text.size() || text[backslash + 2] != '\n') {
        result.text += '\\';  // not an escape, but no error
        i = backslash + 1;
        continue;
      }
      c = '\n';
      length = 2;
    }
    i = backslash + 1 + length;
    if ((escape_of(c) & escapes) == 0) {
      result.mistakes.push_back(
          {EscapeMistake::Kind::kUnrecognized, text.substr(backslash + 1, length)});
      result.text.append(text, backslash, 1 + length);
      continue;
    }
    switch (c) {
      case 'r':
        result.text += '\r';
        break;
      case 'n':
        result.text += '\n';
        break;
      case 't':
        result.text += '\t';
        break;
      case 's':
        result.text += ' ';
        break;
      case 'u':
        result.mistakes.push_back({EscapeMistake::Kind::kIncompleteUnicode, "u"});
        result.text += "\\u";
        break;
      case '\n':
        break;
      default:
        result.text += c;
    }
  }
  if (!result.mistakes.empty()) place_mistakes(result.mistakes, source);
  return result;
}

std::string unescape_single_quoted(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == '\'');
    if (is_escape) ++i;
    result += text[i];
  }
  return result;
}

}  // namespace bunraku
