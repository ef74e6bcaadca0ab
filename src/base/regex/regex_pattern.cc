#include "base/regex/regex_pattern.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/regex/regex.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}
uint32_t hex_value(char c) {
  if (c <= '9') return static_cast<uint32_t>(c - '0');
  return static_cast<uint32_t>((c | 0x20) - 'a' + 10);
}

// The ASCII members of a shorthand class, without brackets.
std::string_view ascii_members(char shorthand) {
  switch (shorthand | 0x20) {
    case 'w':
      return "a-zA-Z0-9_";
    case 'd':
      return "0-9";
    default:
      return " \\t-\\r";
  }
}

// In the engine, \R does not match a line end that a preceding repetition must release.
constexpr std::string_view kLineBreak =
    "(?>\\x0D\\x0A|[\\x0A-\\x0D\xC2\x85\xE2\x80\xA8\xE2\x80\xA9])";
constexpr std::string_view kAsciiWordBoundary =
    "(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))";
constexpr std::string_view kAsciiNoWordBoundary =
    "(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))";

class Translator {
 public:
  explicit Translator(std::string_view pattern) : pattern_(pattern) {
    result_.reserve(pattern.size() + 16);
    groups_.push_back({});
  }

  std::string translate() {
    while (at_ < pattern_.size()) {
      if (class_depth_ > 0) {
        translate_in_class();
      } else {
        translate_outside();
      }
    }
    return std::move(result_);
  }

 private:
  enum class Range : uint8_t { kDefault, kAscii, kUnicode };
  // The current options; each group inherits the surrounding ones.
  struct Options {
    Range range = Range::kDefault;
    bool extended = false;
    bool ignores_case = false;
  };
  struct Group {
    Options options;
    // The start of a look-around in the result; npos for other groups.
    size_t look_around = std::string::npos;
  };

  Options& options() { return groups_.back().options; }
  bool has(size_t count) const { return at_ + count <= pattern_.size(); }
  char peek(size_t ahead = 0) const { return has(ahead + 1) ? pattern_[at_ + ahead] : '\0'; }
  void copy(size_t count) {
    result_.append(pattern_.substr(at_, count));
    at_ = std::min(at_ + count, pattern_.size());
  }

  void translate_outside() {
    switch (peek()) {
      case '\\':
        return translate_escape();
      case '[':
        return open_class();
      case '(':
        return open_group();
      case ')':
        return close_group();
      case '#':
        // Brackets in a comment have no meaning.
        if (options().extended) {
          const size_t end = pattern_.find('\n', at_);
          at_ = end == std::string_view::npos ? pattern_.size() : end;
          return;
        }
        return copy(1);
      case '{':
        check_interval();
        return copy(1);
      case '^':
      case '$':
        return copy_anchor(1);
      default:
        return copy(1);
    }
  }

  // The engine would swap the bounds of "{3,2}".
  void check_interval() const {
    size_t i = at_ + 1;
    auto read_number = [&] {
      uint64_t value = 0;
      for (; i < pattern_.size() && pattern_[i] >= '0' && pattern_[i] <= '9'; ++i) {
        value = std::min<uint64_t>(value * 10 + static_cast<uint64_t>(pattern_[i] - '0'), 1u << 30);
      }
      return value;
    };
    const uint64_t low = read_number();
    if (i >= pattern_.size() || pattern_[i] != ',') return;
    const size_t high_begin = ++i;
    const uint64_t high = read_number();
    if (i > high_begin && i < pattern_.size() && pattern_[i] == '}' && high < low) {
      throw RegexError("upper is smaller than lower in repeat range");
    }
  }

  static constexpr std::string_view kRepeatable = "(?:(?:)";
  static bool is_quantifier(char c) { return c == '*' || c == '+' || c == '?' || c == '{'; }

  // Ruby allows repeated anchors; the engine does not, so the anchor is wrapped.
  void copy_anchor(size_t length) {
    const bool is_repeated = is_quantifier(peek(length));
    if (is_repeated) result_ += kRepeatable;
    copy(length);
    if (is_repeated) result_ += ')';
  }

  void open_class() {
    ++class_depth_;
    copy(1);
    if (peek() == '^') copy(1);
    // A bracket at the start is a member, and another one closes the class.
    if (peek() == ']') {
      if (pattern_.find(']', at_ + 1) == std::string_view::npos)
        throw RegexError("empty char-class");
      result_ += "\\]";
      ++at_;
    }
  }

  void translate_in_class() {
    switch (peek()) {
      case '\\':
        return translate_escape();
      case '[':
        if (peek(1) == ':') {
          const size_t end = pattern_.find(":]", at_ + 2);
          if (end != std::string_view::npos) return copy_posix_class(end + 2 - at_);
        }
        return open_class();
      case ']':
        --class_depth_;
        return copy(1);
      default:
        return copy(1);
    }
  }

  void copy_posix_class(size_t length) {
    if (options().range != Range::kAscii) return copy(length);
    result_ += "[";
    copy(length);
    result_ += "&&[\\x00-\\x7F]]";
  }

  void open_group() {
    if (peek(1) != '?') {
      groups_.push_back({options()});
      return copy(1);
    }
    if (peek(2) == '#') return copy_comment();
    if (peek(2) == '~') throw RegexError("the absence operator (?~...) is not supported");
    Options changed = options();
    std::string letters;
    const size_t end = read_options(changed, letters);
    if (end == std::string_view::npos) {  // another kind of group
      groups_.push_back({options(), is_look_around() ? result_.size() : std::string::npos});
      return copy(2);
    }
    const bool is_whole_rest = pattern_[end] == ')';
    if (is_whole_rest) {
      options() = changed;
    } else {
      groups_.push_back({changed});
    }
    at_ = end + 1;
    if (is_whole_rest && letters.empty()) {
      if (is_quantifier(peek()) && peek() != '{') {
        throw RegexError("target of repeat operator is not specified");
      }
      return;
    }
    result_ += "(?";
    result_ += letters;
    result_ += pattern_[end];
  }

  // (?= (?! (?<= (?<!
  bool is_look_around() const {
    const char c = peek(2) == '<' ? peek(3) : peek(2);
    return c == '=' || c == '!';
  }

  void close_group() {
    const size_t look_around = groups_.back().look_around;
    if (groups_.size() > 1) groups_.pop_back();
    copy(1);
    if (look_around != std::string::npos && is_quantifier(peek())) {
      result_.insert(look_around, kRepeatable);
      result_ += ')';
    }
  }

  void copy_comment() {
    size_t end = at_ + 3;
    while (end < pattern_.size() && pattern_[end] != ')') end += pattern_[end] == '\\' ? 2 : 1;
    copy(end + 1 - at_);
  }

  // Reads the option letters of "(?imx-imx)" or "(?imx-imx:". Returns the offset of the character
  // that ends them, npos when this is not a group with options. `letters` are those that the engine
  // knows too.
  size_t read_options(Options& changed, std::string& letters) const {
    bool is_on = true;
    for (size_t i = at_ + 2; i < pattern_.size(); ++i) {
      const char c = pattern_[i];
      switch (c) {
        case 'x':
          changed.extended = is_on;
          letters += c;
          break;
        case 'i':
          changed.ignores_case = is_on;
          letters += c;
          break;
        case 'm':
          letters += c;
          break;
        case '-':
          is_on = false;
          letters += c;
          break;
        case 'a':
        case 'd':
        case 'u':
          if (!is_on) return std::string_view::npos;  // the engine rejects it
          changed.range = c == 'a' ? Range::kAscii : c == 'd' ? Range::kDefault : Range::kUnicode;
          break;
        case ')':
        case ':':
          return i;
        default:
          return std::string_view::npos;
      }
    }
    return std::string_view::npos;
  }

  void translate_escape() {
    if (!has(2)) throw RegexError("too short escape sequence");
    const char c = peek(1);
    switch (c) {
      case 'w':
      case 'W':
      case 'd':
      case 'D':
      case 's':
      case 'S':
        return translate_shorthand(c);
      case 'b':
      case 'B':
        if (class_depth_ == 0 && options().range == Range::kAscii) {
          result_ += c == 'b' ? kAsciiWordBoundary : kAsciiNoWordBoundary;
          at_ += 2;
          return;
        }
        return class_depth_ == 0 ? copy_anchor(2) : copy(2);
      case 'A':
      case 'z':
      case 'Z':
      case 'G':
      case 'K':
        return class_depth_ == 0 ? copy_anchor(2) : copy(2);
      case 'R':
        if (class_depth_ > 0) return copy(2);
        result_ += kLineBreak;
        at_ += 2;
        return;
      case 'u':
        return translate_unicode_escape();
      case 'x':
        return translate_byte_escapes();
      case '1':
      case '2':
      case '3':
        if (is_octal(peek(2)) && is_octal(peek(3)) && c >= '2') return translate_byte_escapes();
        return copy(2);
      case '4':
      case '5':
      case '6':
      case '7':
        if (is_octal(peek(2)) && is_octal(peek(3))) throw RegexError("invalid escape code");
        return copy(2);
      case 'N':
      case 'O':
      case 'y':
      case 'Y':
        // Anchors and classes that only the engine has; in Ruby they are plain letters.
        result_ += c;
        at_ += 2;
        return;
      case 'c':
        if (!has(3)) throw RegexError("too short control escape");
        return copy(2);
      case 'p':
      case 'P':
        return copy_property();
      case 'M':
        throw RegexError("too short escaped multibyte character");
      default:
        return copy(1 + character_length(static_cast<unsigned char>(c)));
    }
  }

  void copy_property() {
    if (peek(2) != '{') return copy(2);
    const size_t end = pattern_.find('}', at_);
    if (end == std::string_view::npos) throw RegexError("invalid character property name {}");
    // Only members of a bracketed class are subject to case folding.
    const bool needs_brackets = class_depth_ == 0 && options().ignores_case;
    if (needs_brackets) result_ += '[';
    copy(end + 1 - at_);
    if (needs_brackets) result_ += ']';
  }

  // Returns whether a class is at the end of a range: "[a-\\w]".
  bool ends_range() const {
    if (class_depth_ == 0 || at_ < 2 || pattern_[at_ - 1] != '-') return false;
    const char before = pattern_[at_ - 2];
    const bool is_shorthand = at_ >= 3 && pattern_[at_ - 3] == '\\';
    const bool follows_range = at_ >= 4 && pattern_[at_ - 3] == '-' && pattern_[at_ - 4] != '[';
    return before != '[' && before != '^' && before != ']' && !is_shorthand && !follows_range;
  }

  // Returns whether a range begins here, after a class: "[\\w-x]".
  bool begins_range() const {
    return class_depth_ > 0 && peek() == '-' && has(2) && peek(1) != ']' &&
           !(peek(1) == '&' && peek(2) == '&');
  }

  void translate_shorthand(char c) {
    if (ends_range()) throw RegexError("char-class value at end of range");
    at_ += 2;
    if (begins_range()) throw RegexError("unmatched range specifier in char-class");
    if (options().range == Range::kUnicode) {
      result_ += '\\';
      result_ += c;
      return;
    }
    const bool is_negated = c < 'a';
    const bool needs_brackets = is_negated || class_depth_ == 0 || peek() == '-';
    // Otherwise letters beyond ASCII that fold into it would be members.
    const bool must_keep_case = class_depth_ == 0 && options().ignores_case;
    if (must_keep_case) result_ += "(?-i:";
    if (needs_brackets) result_ += is_negated ? "[^" : "[";
    result_ += ascii_members(c);
    if (needs_brackets) result_ += ']';
    if (must_keep_case) result_ += ')';
  }

  void translate_unicode_escape() {
    at_ += 2;
    if (peek() != '{') {
      if (!has(4)) throw RegexError("invalid Unicode escape");
      append_code_point(read_hex(4, "invalid Unicode escape"));
      return;
    }
    ++at_;
    bool is_empty = true;
    while (true) {
      while (peek() == ' ' || peek() == '\t') ++at_;
      if (at_ >= pattern_.size()) throw RegexError("unterminated Unicode escape");
      if (peek() == '}') break;
      size_t digits = 0;
      while (is_hex_digit(peek(digits))) ++digits;
      if (digits == 0) throw RegexError("invalid Unicode list");
      if (digits > 6) throw RegexError("invalid Unicode range");
      append_code_point(read_hex(digits, "invalid Unicode list"));
      is_empty = false;
    }
    if (is_empty) throw RegexError("invalid Unicode list");
    ++at_;
  }

  uint32_t read_hex(size_t digits, const char* message) {
    uint32_t value = 0;
    for (size_t i = 0; i < digits; ++i, ++at_) {
      if (!is_hex_digit(peek())) throw RegexError(message);
      value = value * 16 + hex_value(peek());
    }
    return value;
  }

  void append_code_point(uint32_t code) {
    if (code < 0x80) {
      constexpr char kDigits[] = "0123456789ABCDEF";
      result_ += "\\x";
      result_ += kDigits[code >> 4];
      result_ += kDigits[code & 15];
    } else if (!append_character(result_, code)) {
      throw RegexError("invalid Unicode range");
    }
  }

  // Reads the byte of an escape \xHH or \OOO at the current place and skips it; returns -1 when
  // there is none.
  int read_byte_escape() {
    if (peek() != '\\') return -1;
    if (peek(1) == 'x') {
      if (!is_hex_digit(peek(2))) throw RegexError("invalid hex escape");
      const size_t digits = is_hex_digit(peek(3)) ? 2 : 1;
      at_ += 2;
      return static_cast<int>(read_hex(digits, "invalid hex escape"));
    }
    if (is_octal(peek(1)) && is_octal(peek(2)) && is_octal(peek(3)) && peek(1) <= '3') {
      const int value = (peek(1) - '0') * 64 + (peek(2) - '0') * 8 + (peek(3) - '0');
      at_ += 4;
      return value;
    }
    return -1;
  }

  // Bytes beyond ASCII must form a whole character.
  void translate_byte_escapes() {
    const int byte = read_byte_escape();
    if (byte < 0x80) return append_code_point(static_cast<uint32_t>(byte));
    std::string bytes(1, static_cast<char>(byte));
    const size_t length = character_length(static_cast<unsigned char>(byte));
    if (length == 1) throw RegexError("invalid multibyte escape");
    while (bytes.size() < length) {
      const int next = read_byte_escape();
      if (next < 0) throw RegexError("too short escaped multibyte character");
      bytes += static_cast<char>(next);
    }
    if (!is_valid_utf8(bytes)) throw RegexError("invalid multibyte escape");
    result_ += bytes;
  }

  std::string_view pattern_;
  size_t at_ = 0;
  std::string result_;
  std::vector<Group> groups_;
  size_t class_depth_ = 0;
};

}  // namespace

std::string translate_ruby_pattern(std::string_view pattern) {
  return Translator(pattern).translate();
}

}  // namespace bunraku
