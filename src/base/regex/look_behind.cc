#include "base/regex/look_behind.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/text/ascii.h"

namespace bunraku {
namespace {

// The length of the text that a part of a pattern matches.
struct Length {
  enum class Kind : uint8_t {
    kFixed,
    kVaries,
    kForbidden,  // not allowed within a look-behind
  };
  Kind kind = Kind::kFixed;
  uint64_t count = 0;

  bool is_fixed() const { return kind == Kind::kFixed; }
};

constexpr Length kVaries{Length::Kind::kVaries, 0};
constexpr Length kForbidden{Length::Kind::kForbidden, 0};
// Larger than any pattern's length.
constexpr uint64_t kMostCount = uint64_t{1} << 32;
constexpr int kMostDepth = 1000;

Length one_after_other(Length a, Length b) {
  if (!a.is_fixed() || !b.is_fixed()) return a.kind > b.kind ? a : b;
  return {Length::Kind::kFixed, std::min(a.count + b.count, kMostCount)};
}

class LookBehinds {
 public:
  explicit LookBehinds(std::string_view pattern) : pattern_(pattern) {}

  bool are_valid() {
    alternatives(false, 0);
    return is_valid_;
  }

 private:
  bool at_end() const { return at_ >= pattern_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  // Empty at the end; `at_` is beyond it where a pattern ends within an escape.
  std::string_view rest() const { return pattern_.substr(std::min(at_, pattern_.size())); }
  bool take(std::string_view text) {
    if (!rest().starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  void skip_past(char c) {
    const size_t found = pattern_.find(c, at_);
    at_ = found == pattern_.npos ? pattern_.size() : found + 1;
  }

  // Parses up to the closing parenthesis, which is not consumed. The outermost alternatives of a
  // look-behind may have different lengths.
  Length alternatives(bool may_differ, int depth) {
    if (depth == kMostDepth) {
      at_ = pattern_.size();
      return {};
    }
    const bool was_extended = is_extended_;
    std::optional<Length> all;
    do {
      const Length one = sequence(depth);
      if (!all) {
        all = one;
      } else if (!one.is_fixed() || !all->is_fixed()) {
        all = one_after_other(*all, one);
      } else if (all->count != one.count && !may_differ) {
        all = kVaries;
      }
    } while (take("|"));
    is_extended_ = was_extended;
    return *all;
  }

  Length sequence(int depth) {
    Length all;
    while (!at_end() && peek() != '|' && peek() != ')') {
      if (is_extended_ && skip_blanks()) continue;
      all = one_after_other(all, quantified(atom(depth)));
    }
    return all;
  }

  bool skip_blanks() {
    if (peek() == '#') {
      skip_past('\n');
      return true;
    }
    if (peek() != ' ' && (peek() < '\t' || peek() > '\r')) return false;
    ++at_;
    return true;
  }

  Length atom(int depth) {
    switch (peek()) {
      case '\\':
        return escape();
      case '[':
        skip_class();
        return characters(1);
      case '(':
        ++at_;
        return group(depth);
      case '^':
      case '$':
        ++at_;
        return characters(0);
      default:
        ++at_;
        while (!at_end() && (static_cast<unsigned char>(peek()) & 0xC0) == 0x80) ++at_;
        return characters(1);
    }
  }

  static Length characters(uint64_t count) { return {Length::Kind::kFixed, count}; }

  Length escape() {
    ++at_;
    const char c = peek();
    ++at_;
    switch (c) {
      case 'b':
      case 'B':
      case 'A':
      case 'z':
      case 'Z':
      case 'G':
      case 'K':
        return characters(0);
      case 'R':
      case 'X':
        return kForbidden;
      case 'k':
        if (peek() != '<' && peek() != '\'') return characters(1);
        skip_past(peek() == '<' ? '>' : '\'');
        return kForbidden;
      case 'p':
      case 'P':
        if (peek() == '{') skip_past('}');
        return characters(1);
      case 'u':
        if (peek() == '{') return code_points();
        at_ += std::min<size_t>(4, pattern_.size() - at_);
        return characters(1);
      case 'x':
        for (int i = 0; i < 2 && is_hex_digit(peek()); ++i) ++at_;
        return characters(1);
      case 'C':
      case 'M':
        ++at_;
        [[fallthrough]];
      case 'c':
        skip_controlled();
        return characters(1);
      default:
        if (c >= '1' && c <= '9') return number(c);
        if (c == '0') {
          for (int i = 0; i < 2 && peek() >= '0' && peek() <= '7'; ++i) ++at_;
        }
        return characters(1);
    }
  }

  // Skips the character after \c, \C- or \M-, which may be an escape itself: \M-\C-a.
  void skip_controlled() {
    while (peek() == '\\') {
      ++at_;
      if (peek() != 'c' && peek() != 'C' && peek() != 'M') break;
      at_ += peek() == 'c' ? 1 : 2;
    }
    ++at_;
  }

  // \1 to \9 are back references; more digits may be an octal character.
  Length number(char first) {
    if (!is_digit(peek())) return kForbidden;
    while (is_digit(peek())) ++at_;
    return first <= '7' ? characters(1) : kForbidden;
  }

  // \u{61 62 63}
  Length code_points() {
    ++at_;
    uint64_t count = 0;
    while (!at_end() && peek() != '}') {
      if (is_hex_digit(peek())) {
        ++count;
        while (is_hex_digit(peek())) ++at_;
      } else {
        ++at_;
      }
    }
    ++at_;
    return characters(count);
  }

  void skip_class() {
    int depth = 0;
    do {
      const char c = peek();
      ++at_;
      if (c == '\\') {
        ++at_;
      } else if (c == '[') {
        ++depth;
        if (peek() == '^') ++at_;
        if (peek() == ']') ++at_;
      } else if (c == ']') {
        --depth;
      }
    } while (depth > 0 && !at_end());
  }

  // Parses a group after its opening parenthesis.
  Length group(int depth) {
    if (take("?#")) {
      skip_past(')');
      return characters(0);
    }
    if (take("?<=") || take("?<!")) {
      // A group that is the whole look-behind counts as its alternatives.
      size_t groups = 0;
      while (is_all_in_group() && take("(?:")) ++groups;
      const Length inner = alternatives(true, depth + 1);
      if (!inner.is_fixed()) is_valid_ = false;
      for (; groups > 0; --groups) take(")");
      return closed(characters(0));
    }
    if (take("?=") || take("?!") || take("?>") || take("?~") || take("?(")) {
      alternatives(false, depth + 1);
      return closed(kForbidden);
    }
    if (take("?<")) {
      skip_past('>');
    } else if (take("?'")) {
      skip_past('\'');
    } else if (take("?")) {
      return with_options(depth);
    }
    return closed(alternatives(false, depth + 1));
  }

  // Returns whether the next group extends to the end of the current one.
  bool is_all_in_group() {
    if (!rest().starts_with("(?:")) return false;
    const size_t start = at_;
    ++at_;
    for (int open = 1; open > 0 && !at_end();) {
      const char c = peek();
      if (c == '[') {
        skip_class();
        continue;
      }
      at_ += c == '\\' ? 2 : 1;
      if (c == '(') ++open;
      if (c == ')') --open;
    }
    const bool is_all = peek() == ')';
    at_ = start;
    return is_all;
  }

  // Parses (?mi-x:...) or (?mi-x); the latter extends to the end of the enclosing group.
  Length with_options(int depth) {
    const bool was_extended = is_extended_;
    for (bool on = true; !at_end() && peek() != ':' && peek() != ')'; ++at_) {
      if (peek() == '-') on = false;
      if (peek() == 'x') is_extended_ = on;
    }
    if (take(":")) {
      const Length inner = alternatives(false, depth + 1);
      is_extended_ = was_extended;
      return closed(inner);
    }
    ++at_;
    return alternatives(false, depth + 1);
  }

  Length closed(Length length) {
    take(")");
    return length;
  }

  Length quantified(Length length) {
    while (!at_end()) {
      if (take("*") || take("+") || take("?")) {
        if (length.is_fixed()) length = kVaries;
      } else if (const std::optional<Length> times = interval(length)) {
        length = *times;
      } else {
        break;
      }
    }
    return length;
  }

  // Parses {2}, {1,2}, {1,} and {,2}; other braces are literal.
  std::optional<Length> interval(Length length) {
    if (peek() != '{') return std::nullopt;
    size_t i = at_ + 1;
    const auto read = [&]() -> std::optional<uint64_t> {
      std::optional<uint64_t> value;
      for (; i < pattern_.size() && is_digit(pattern_[i]); ++i) {
        value =
            std::min(value.value_or(0) * 10 + static_cast<uint64_t>(pattern_[i] - '0'), kMostCount);
      }
      return value;
    };
    const std::optional<uint64_t> low = read();
    std::optional<uint64_t> high = low;
    if (i < pattern_.size() && pattern_[i] == ',') {
      ++i;
      high = read();
      if (!low && !high) return std::nullopt;
    }
    if ((!low && !high) || i >= pattern_.size() || pattern_[i] != '}') return std::nullopt;
    at_ = i + 1;
    if (!length.is_fixed()) return length;
    if (!high || low.value_or(0) != *high) return kVaries;
    return characters(std::min(length.count * *high, kMostCount));
  }

  std::string_view pattern_;
  size_t at_ = 0;
  bool is_extended_ = false;
  bool is_valid_ = true;
};

}  // namespace

bool has_valid_look_behinds(std::string_view pattern) {
  const bool has_any = pattern.find("(?<=") != pattern.npos || pattern.find("(?<!") != pattern.npos;
  return !has_any || LookBehinds(pattern).are_valid();
}

}  // namespace bunraku
