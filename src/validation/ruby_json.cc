#include "validation/ruby_json.h"

#include <algorithm>

#include "support/json.h"
#include "syntax/characters.h"

namespace bunraku {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

// Reads values one after the other. What is wrong within an object is told of the whole value, what
// is wrong within an array at its place: so does Ruby's parser, whose message names a line of its
// own source.
class RubyJson {
 public:
  explicit RubyJson(std::string_view text) : text_(text) {}

  std::optional<JsonMistake> run() {
    size_t at = skip_ignored(0);
    size_t end = at < text_.size() ? value(at, 0) : kNone;
    if (mistake_) return mistake_;
    if (end != kNone) at = skip_ignored(end);
    if (end == kNone || at < text_.size()) fail(859, at);
    return mistake_;
  }

 private:
  void fail(int ruby_line, size_t at) {
    if (mistake_) return;
    mistake_ = JsonMistake{std::to_string(ruby_line) + ": unexpected token at '" +
                               std::string(text_.substr(std::min(at, text_.size()))) + "'",
                           static_cast<uint32_t>(at)};
  }

  // Blanks and comments.
  size_t skip_ignored(size_t at) const {
    while (at < text_.size()) {
      char c = text_[at];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at;
        continue;
      }
      std::string_view rest = text_.substr(at);
      size_t end = rest.starts_with("/*")   ? rest.find("*/", 2)
                   : rest.starts_with("//") ? rest.find('\n')
                                            : std::string_view::npos;
      if (end == std::string_view::npos) return at;
      at += end + (rest[1] == '*' ? 2 : 1);
    }
    return at;
  }

  // The end of the value at `at`; kNone when there is none.
  size_t value(size_t at, uint32_t depth) {
    if (at >= text_.size()) return kNone;
    switch (text_[at]) {
      case '"':
        return string(at);
      case '[':
        return array(at, depth + 1);
      case '{':
        return object(at, depth + 1);
      case 'n':
        return word(at, "null");
      case 't':
        return word(at, "true");
      case 'f':
        return word(at, "false");
      default:
        return number(at);
    }
  }

  size_t word(size_t at, std::string_view expected) const {
    return text_.substr(at).starts_with(expected) ? at + expected.size() : kNone;
  }

  size_t string(size_t at) const {
    for (++at; at < text_.size(); ++at) {
      char c = text_[at];
      if (c == '"') return at + 1;
      if (static_cast<unsigned char>(c) < 0x20) return kNone;
      if (c != '\\') continue;
      if (++at >= text_.size() || static_cast<unsigned char>(text_[at]) < 0x20) return kNone;
      if (text_[at] != 'u') continue;
      for (int i = 0; i < 4; ++i) {
        if (++at >= text_.size() || !characters::is_hex(text_[at])) return kNone;
      }
    }
    return kNone;
  }

  size_t number(size_t at) const {
    size_t end = at;
    auto digits = [&] {
      size_t begin = end;
      while (end < text_.size() && characters::is_digit(text_[end])) ++end;
      return end > begin;
    };
    if (end < text_.size() && text_[end] == '-') ++end;
    size_t whole = end;
    if (!digits()) return kNone;
    if (text_[whole] == '0' && end > whole + 1) return kNone;
    size_t integer_end = end;
    bool has_fraction = end < text_.size() && text_[end] == '.';
    if (has_fraction) {
      ++end;
      if (!digits()) return integer_end;
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      size_t before = end++;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      if (!digits()) return has_fraction ? before : integer_end;
    }
    return end;
  }

  bool is_too_deep(size_t at, uint32_t depth) {
    if (depth <= kJsonDepth) return false;
    if (!mistake_) {
      mistake_ = JsonMistake{"nesting of " + std::to_string(depth) + " is too deep",
                             static_cast<uint32_t>(at)};
    }
    return true;
  }

  size_t array(size_t at, uint32_t depth) {
    if (is_too_deep(at, depth)) return kNone;
    at = skip_ignored(at + 1);
    if (at < text_.size() && text_[at] == ']') return at + 1;
    while (true) {
      size_t end = value(at, depth);
      if (end == kNone) {
        fail(451, at);
        return kNone;
      }
      at = skip_ignored(end);
      if (at < text_.size() && text_[at] == ']') return at + 1;
      if (at >= text_.size() || text_[at] != ',') {
        fail(451, at);
        return kNone;
      }
      at = skip_ignored(at + 1);
    }
  }

  size_t object(size_t at, uint32_t depth) {
    if (is_too_deep(at, depth)) return kNone;
    at = skip_ignored(at + 1);
    if (at < text_.size() && text_[at] == '}') return at + 1;
    while (at < text_.size() && text_[at] == '"') {
      size_t end = string(at);
      if (end == kNone) return kNone;
      at = skip_ignored(end);
      if (at >= text_.size() || text_[at] != ':') return kNone;
      end = value(skip_ignored(at + 1), depth);
      if (end == kNone) return kNone;
      at = skip_ignored(end);
      if (at < text_.size() && text_[at] == '}') return at + 1;
      if (at >= text_.size() || text_[at] != ',') return kNone;
      at = skip_ignored(at + 1);
    }
    return kNone;
  }

  std::string_view text_;
  std::optional<JsonMistake> mistake_;
};

}  // namespace

std::optional<JsonMistake> find_json_mistake(std::string_view text) {
  return RubyJson(text).run();
}

}  // namespace bunraku
