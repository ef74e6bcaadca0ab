#include "base/regex/plain_pattern.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/text/ascii.h"

namespace bunraku {
namespace {

constexpr int kMostNesting = 32;
constexpr int kMostRepeats = 1000;

bool is_plain_character(char c) {
  return (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
}
bool is_punctuation(char c) {
  return c >= ' ' && c <= '~' && !is_letter(c) && !is_digit(c);
}

// Returns whether the letter is a character class with the same meaning in both engines.
bool is_class_letter(char c) {
  return std::string_view("dwsDWS").find(c) != std::string_view::npos;
}

// Returns whether the character begins a quantifier, or modifies the preceding one.
bool is_quantifier(char c) {
  return c == '*' || c == '+' || c == '?' || c == '{';
}

// Translates a pattern. The functions return false for parts that are not plain.
class Translation {
 public:
  explicit Translation(std::string_view text) : text_(text) {}

  std::optional<PlainPattern> translate() {
    bool is_nullable = false;
    if (!alternatives(0, is_nullable) || !at_end()) return std::nullopt;
    return PlainPattern{std::move(out_), groups_};
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void literal(char c) {
    if (c == '\0') {
      out_ += "\\x00";
      return;
    }
    if (is_punctuation(c)) out_ += '\\';
    out_ += c;
  }

  // `is_nullable` is set when the part can match an empty text.
  bool alternatives(int depth, bool& is_nullable) {
    if (depth > kMostNesting) return false;
    is_nullable = false;
    while (true) {
      bool is_sequence_nullable = true;
      while (!at_end() && peek() != '|' && peek() != ')') {
        bool is_item_nullable = false;
        if (!item(depth, is_item_nullable)) return false;
        is_sequence_nullable = is_sequence_nullable && is_item_nullable;
      }
      is_nullable = is_nullable || is_sequence_nullable;
      if (!take('|')) return true;
      out_ += '|';
    }
  }

  bool item(int depth, bool& is_nullable) {
    is_nullable = false;
    if (!atom(depth, is_nullable)) return false;
    if (!is_quantifier(peek())) return true;
    if (is_nullable) return false;
    return quantifier(is_nullable);
  }

  bool atom(int depth, bool& is_nullable) {
    const char c = text_[at_++];
    switch (c) {
      case '(':
        return group(depth, is_nullable);
      case '[':
        return character_class();
      case '.':
        out_ += c;
        return true;
      case '^':
      case '$':
        out_ += c;
        is_nullable = true;
        return true;
      case '\\':
        return escape(is_nullable);
      case ']':
        return false;
      default:
        if (!is_plain_character(c) || is_quantifier(c)) return false;
        literal(c);
        return true;
    }
  }

  bool group(int depth, bool& is_nullable) {
    out_ += '(';
    if (!take('?')) {
      ++groups_;
    } else if (!group_options()) {
      return false;
    }
    if (!alternatives(depth + 1, is_nullable) || !take(')')) return false;
    out_ += ')';
    return true;
  }

  // The options of a non-capturing group, as Ruby writes them in the text of a pattern. Ruby's "m"
  // is PCRE2's "s".
  bool group_options() {
    for (const auto& [ruby, plain] :
         {std::pair(":", "?:"), std::pair("-mix:", "?-s:"), std::pair("m-ix:", "?s:")}) {
      if (!text_.substr(at_).starts_with(ruby)) continue;
      at_ += std::string_view(ruby).size();
      out_ += plain;
      return true;
    }
    return false;
  }

  bool escape(bool& is_nullable) {
    if (at_end()) return false;
    const char c = text_[at_++];
    switch (c) {
      case 'A':
      case 'z':
      case 'Z':
        is_nullable = true;
        [[fallthrough]];
      case 'n':
      case 't':
      case 'r':
      case 'f':
        out_ += '\\';
        out_ += c;
        return true;
      case 'h':
        out_ += "[0-9a-fA-F]";
        return true;
      default:
        if (is_class_letter(c)) {
          out_ += {'\\', c};
          return true;
        }
        if (!is_punctuation(c)) return false;
        literal(c);
        return true;
    }
  }

  bool quantifier(bool& is_nullable) {
    const char c = text_[at_++];
    if (c == '{') {
      if (!interval(is_nullable)) return false;
    } else {
      is_nullable = c != '+';
      out_ += c;
      if (take('?')) out_ += '?';
    }
    return !is_quantifier(peek());
  }

  bool number(int& value) {
    if (!is_digit(peek())) return false;
    value = 0;
    while (is_digit(peek())) {
      value = value * 10 + (text_[at_++] - '0');
      if (value > kMostRepeats) return false;
    }
    return true;
  }

  bool interval(bool& is_nullable) {
    const size_t start = at_;
    int least = 0;
    if (!number(least)) return false;
    int most = least;
    if (take(',') && peek() != '}') {
      if (!number(most)) return false;
    } else if (text_[at_ - 1] == ',') {
      most = kMostRepeats;  // no limit
    }
    if (most < std::max(least, 1) || !take('}')) return false;
    out_ += '{';
    out_ += text_.substr(start, at_ - start);
    is_nullable = least == 0;
    return true;
  }

  bool character_class() {
    out_ += '[';
    if (take('^')) out_ += '^';
    const size_t start = at_;
    while (!at_end() && peek() != ']') {
      if (!class_item(at_ == start)) return false;
    }
    if (at_ == start || !take(']')) return false;
    out_ += ']';
    return true;
  }

  bool class_item(bool is_first) {
    char low = '\0';
    bool is_set = false;
    if (peek() == '-') {
      ++at_;
      // Between other characters it may be a range, depending on the class.
      if (!is_first && peek() != ']') return false;
      literal('-');
      return !(is_first && peek() == '-');
    }
    if (!class_character(low, is_set)) return false;
    if (peek() != '-' || peek(1) == ']') {
      if (!is_set) literal(low);
      return true;
    }
    if (is_set) return false;
    ++at_;
    char high = '\0';
    if (at_end() || peek() == '-' || !class_character(high, is_set) || is_set) return false;
    if (high < low || (peek() == '-' && peek(1) != ']')) return false;
    literal(low);
    out_ += '-';
    literal(high);
    return true;
  }

  // Parses a character, or a shorthand class, which is written immediately.
  bool class_character(char& character, bool& is_set) {
    constexpr std::string_view kHexDigit = "[:xdigit:]";
    if (text_.substr(at_).starts_with(kHexDigit)) {
      at_ += kHexDigit.size();
      out_ += "0-9a-fA-F";
      is_set = true;
      return true;
    }
    const char c = text_[at_++];
    if (c == '[' || (c == '&' && peek() == '&') || !is_plain_character(c)) return false;
    character = c;
    if (c != '\\') return true;
    if (at_end()) return false;
    const char escaped = text_[at_++];
    if (is_class_letter(escaped)) {
      is_set = true;
      out_ += {'\\', escaped};
      return true;
    }
    switch (escaped) {
      case 'h':
        is_set = true;
        out_ += "0-9a-fA-F";
        return true;
      case 'n':
        character = '\n';
        return true;
      case 't':
        character = '\t';
        return true;
      case '0':
        character = '\0';
        return !is_digit(peek());
      default:
        character = escaped;
        return is_punctuation(escaped);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string out_;
  int groups_ = 0;
};

}  // namespace

std::optional<PlainPattern> plain_pattern(std::string_view ruby_pattern) {
  return Translation(ruby_pattern).translate();
}

}  // namespace bunraku
