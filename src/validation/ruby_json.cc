#include "validation/ruby_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/formats/json.h"
#include "syntax/characters.h"

namespace bunraku {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

// Reads values one after the other. As in Ruby's parser, an error within an object is reported for
// the whole object, and one within an array at its place; the message contains a line number of
// that parser's source.
class RubyJson {
 public:
  explicit RubyJson(std::string_view text) : text_(text) {}

  std::optional<JsonMistake> run() {
    size_t at = skip_ignored(0);
    const size_t end = at < text_.size() ? value(at, 0) : kNone;
    if (end != kNone) at = skip_ignored(end);
    if (end == kNone || at < text_.size() || is_stuck_) fail(859, at);
    return mistake_;
  }

 private:
  // Only the first error is kept.
  void fail(int ruby_line, size_t at, std::string_view problem = "unexpected token") {
    if (mistake_) return;
    // Ruby's message ends before a NUL.
    const size_t begin = std::min(at, text_.size());
    const size_t end = std::min(text_.find('\0', begin), text_.size());
    mistake_ = JsonMistake{
        fmt::format("{}: {} at '{}'", ruby_line, problem, text_.substr(begin, end - begin)),
        static_cast<uint32_t>(begin)};
  }

  // Skips blanks and comments. After the start of a comment that is not one, the following text is
  // an error.
  size_t skip_ignored(size_t at) {
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        ++at;
        continue;
      }
      if (c != '/') return at;
      const std::string_view rest = text_.substr(at);
      const bool is_block = rest.starts_with("/*");
      const bool is_comment = is_block || rest.starts_with("//");
      const size_t end = is_block ? rest.find("*/", 2) : rest.find('\n');
      if (!is_comment || end == std::string_view::npos) {
        is_stuck_ = true;
        return is_comment ? text_.size() : at + 1;
      }
      at += end + (is_block ? 2 : 1);
    }
    return at;
  }

  bool stands(char c, size_t at) const { return at < text_.size() && text_[at] == c && !is_stuck_; }

  // Returns the end of the value at `at`; kNone when it is invalid.
  size_t value(size_t at, uint32_t depth) {
    if (at >= text_.size() || is_stuck_) return kNone;
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
      case 'N':
        if (word(at, "NaN") != kNone) fail(225, at);
        return kNone;
      case 'I':
        // The message shows the text from the preceding character on.
        if (word(at, "Infinity") != kNone) fail(232, at > 0 ? at - 1 : text_.size());
        return kNone;
      default:
        if (word(at, "-Infinity") != kNone) fail(249, at);
        return number(at);
    }
  }

  size_t word(size_t at, std::string_view expected) const {
    return text_.substr(at).starts_with(expected) ? at + expected.size() : kNone;
  }

  size_t string(size_t at) {
    const size_t begin = at + 1;
    for (++at; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '"') {
        check_surrogates(begin, at);
        return mistake_ ? kNone : at + 1;
      }
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

  // The first half of a surrogate pair needs six more characters, whatever they are. The error is
  // shown with the text since the last escape.
  void check_surrogates(size_t begin, size_t end) {
    size_t shown = begin;
    for (size_t at = begin; at < end; ++at) {
      if (text_[at] != '\\') continue;
      const bool is_unicode = text_[at + 1] == 'u';
      const bool is_half = is_unicode && (text_[at + 2] == 'd' || text_[at + 2] == 'D') &&
                           std::string_view("89abAB").find(text_[at + 3]) != std::string_view::npos;
      if (is_half && end - at < 12) return fail(521, shown, "incomplete surrogate pair");
      const bool is_pair = is_half && text_[at + 6] == '\\' && text_[at + 7] == 'u';
      at += is_pair ? 11 : is_half ? 6 : is_unicode ? 5 : 1;
      shown = at + 1;
    }
  }

  size_t number(size_t at) const {
    size_t end = at;
    auto digits = [&] {
      const size_t begin = end;
      while (end < text_.size() && characters::is_digit(text_[end])) ++end;
      return end > begin;
    };
    if (end < text_.size() && text_[end] == '-') ++end;
    const size_t whole = end;
    if (!digits()) return kNone;
    if (text_[whole] == '0' && end > whole + 1) return kNone;
    const size_t integer_end = end;
    if (end < text_.size() && text_[end] == '.') {
      ++end;
      if (!digits()) return integer_end;
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      ++end;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      if (!digits()) return integer_end;
    }
    // Characters that could continue a number prevent it from being a float.
    constexpr std::string_view kMore = "0123456789Ee.-";
    const bool goes_on = end < text_.size() && kMore.find(text_[end]) != std::string_view::npos;
    return goes_on ? integer_end : end;
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
    if (stands(']', at)) return at + 1;
    while (true) {
      const size_t end = value(at, depth);
      if (end == kNone) {
        fail(451, at);
        return kNone;
      }
      at = skip_ignored(end);
      if (stands(']', at)) return at + 1;
      if (!stands(',', at)) {
        fail(451, at);
        return kNone;
      }
      at = skip_ignored(at + 1);
    }
  }

  size_t object(size_t at, uint32_t depth) {
    if (is_too_deep(at, depth)) return kNone;
    at = skip_ignored(at + 1);
    if (stands('}', at)) return at + 1;
    while (stands('"', at)) {
      size_t end = string(at);
      if (end == kNone) return kNone;
      at = skip_ignored(end);
      if (!stands(':', at)) return kNone;
      end = value(skip_ignored(at + 1), depth);
      if (end == kNone) return kNone;
      at = skip_ignored(end);
      if (stands('}', at)) return at + 1;
      if (!stands(',', at)) return kNone;
      at = skip_ignored(at + 1);
    }
    return kNone;
  }

  std::string_view text_;
  std::optional<JsonMistake> mistake_;
  // an invalid comment was found
  bool is_stuck_ = false;
};

template <typename Read>
auto with_ruby_messages(std::string_view text, const Read& read) {
  try {
    return read();
  } catch (const DataError& error) {
    std::optional<JsonMistake> found = find_json_mistake(text);
    if (!found) throw;
    throw DataError(std::move(found->message), error.line(), error.column());
  }
}

}  // namespace

std::optional<JsonMistake> find_json_mistake(std::string_view text) {
  return RubyJson(text).run();
}

DataNode read_ruby_json(std::string_view text, Arena& arena) {
  return with_ruby_messages(text, [&] { return read_json(text, arena); });
}

JsonMembers read_ruby_json_members(std::string_view text, std::span<const std::string_view> names,
                                   Arena& arena) {
  return with_ruby_messages(text, [&] { return read_json_members(text, names, arena); });
}

}  // namespace bunraku
