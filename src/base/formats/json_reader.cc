#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>

#include "base/formats/data_builder.h"
#include "base/formats/json.h"
#include "base/formats/json_members.h"
#include "base/formats/json_text.h"
#include "base/memory/arena.h"
#include "base/text/ascii.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

// The depth of an object that is not within another value.
constexpr uint32_t kOutermost = 1;

class JsonReader {
 public:
  // With names, members of the outermost object with other names are left out.
  JsonReader(std::string_view text, Arena& arena,
             std::optional<std::span<const std::string_view>> names = std::nullopt)
      : begin_(text.data()),
        at_(begin_),
        end_(begin_ + text.size()),
        arena_(arena),
        names_(names) {}

  DataNode read() {
    const std::string_view text(begin_, static_cast<size_t>(end_ - begin_));
    const size_t valid = valid_utf8_prefix(text);
    if (valid < text.size()) fail("invalid UTF-8", begin_ + valid);
    DataNode root = read_value(0);
    skip_blank();
    if (at_ < end_) fail(fmt::format("unexpected {} after the value", here()));
    return root;
  }

  // Whether there were members with other names.
  bool has_left_out() const { return has_left_out_; }

 private:
  [[noreturn]] void fail(std::string_view problem) const { fail(problem, at_); }
  [[noreturn]] void fail(std::string_view problem, const char* place) const {
    uint32_t line = 1 + static_cast<uint32_t>(std::count(begin_, place, '\n'));
    const char* line_start = place;
    while (line_start > begin_ && line_start[-1] != '\n') --line_start;
    const std::string_view before(line_start, static_cast<size_t>(place - line_start));
    uint32_t column = 1 + static_cast<uint32_t>(character_count(before));
    throw DataError(fmt::format("{} at line {} column {}", problem, line, column), line, column);
  }

  // The text at the current place, for messages.
  std::string here() const {
    if (at_ >= end_) return "end of text";
    const size_t length = character_length(static_cast<unsigned char>(*at_));
    if (static_cast<unsigned char>(*at_) < 0x20) {
      return fmt::format("control character 0x{:02x}", static_cast<unsigned char>(*at_));
    }
    return fmt::format("'{}'", std::string_view(at_, length));
  }

  // Skips white space and comments, which Ruby allows.
  void skip_blank() {
    if (at_ < end_ && *at_ != '/' && static_cast<unsigned char>(*at_) > ' ') return;
    skip_blanks();
  }

  void skip_blanks() {
    for (;;) {
      at_ += white_length({at_, static_cast<size_t>(end_ - at_)});
      const bool is_comment = end_ - at_ > 1 && *at_ == '/' && (at_[1] == '/' || at_[1] == '*');
      if (!is_comment) return;
      skip_comment();
    }
  }

  void skip_comment() {
    const std::string_view rest(at_, static_cast<size_t>(end_ - at_));
    const bool is_line = at_[1] == '/';
    const size_t end = is_line ? rest.find('\n') : rest.find("*/", 2);
    // As in Ruby, a line comment must end with a line end.
    if (end == std::string_view::npos) fail("unterminated comment");
    at_ += end + (is_line ? 1 : 2);
  }

  DataNode read_value(uint32_t depth) {
    skip_blank();
    if (at_ == end_) fail("expected a value, found end of text");
    switch (*at_) {
      case '{':
        return read_object(depth + 1);
      case '[':
        return read_array(depth + 1);
      case '"':
        return DataNode::text(DataKind::kString, read_string());
      case 't':
        return read_word("true", DataNode::boolean(true));
      case 'f':
        return read_word("false", DataNode::boolean(false));
      case 'n':
        return read_word("null", DataNode());
      default:
        if (*at_ == '-' || is_digit(*at_)) return read_number();
        fail(fmt::format("expected a value, found {}", here()));
    }
  }

  DataNode read_word(std::string_view word, const DataNode& value) {
    if (std::string_view(at_, static_cast<size_t>(end_ - at_)).substr(0, word.size()) != word) {
      fail(fmt::format("expected a value, found {}", here()));
    }
    at_ += word.size();
    return value;
  }

  void check_depth(uint32_t depth) const {
    if (depth > kJsonDepth) fail(fmt::format("nesting of {} is too deep", depth));
  }

  DataNode read_array(uint32_t depth) {
    check_depth(depth);
    ++at_;
    skip_blank();
    DataArrayBuilder items;
    if (at_ < end_ && *at_ == ']') {
      ++at_;
      return items.finish(arena_);
    }
    while (true) {
      const DataNode item = read_value(depth);
      if (!is_skipping_) items.add(item);
      if (!read_separator(']')) return is_skipping_ ? DataNode() : items.finish(arena_);
    }
  }

  DataNode read_object(uint32_t depth) {
    check_depth(depth);
    ++at_;
    skip_blank();
    DataHashBuilder entries;
    if (at_ < end_ && *at_ == '}') {
      ++at_;
      return entries.finish(arena_);
    }
    while (true) {
      skip_blank();
      if (at_ == end_ || *at_ != '"')
        fail(fmt::format("expected a key in quotes, found {}", here()));
      const DataNode key = DataNode::text(DataKind::kString, read_string());
      skip_blank();
      if (at_ == end_ || *at_ != ':')
        fail(fmt::format("expected ':' after a key, found {}", here()));
      ++at_;
      if (kOutermost == depth && !is_wanted(key.text_value())) {
        skip_value(depth);
        has_left_out_ = true;
      } else {
        const DataNode value = read_value(depth);
        if (!is_skipping_) entries.set(key, value);
      }
      if (!read_separator('}')) return is_skipping_ ? DataNode() : entries.finish(arena_);
    }
  }

  bool is_wanted(std::string_view name) const {
    return !names_ || std::ranges::find(*names_, name) != names_->end();
  }

  // Checks a value without keeping any of it.
  void skip_value(uint32_t depth) {
    is_skipping_ = true;
    read_value(depth);
    is_skipping_ = false;
  }

  // Returns true after a comma, false after the closing bracket.
  bool read_separator(char closing) {
    skip_blank();
    if (at_ < end_ && (*at_ == ',' || *at_ == closing)) return *at_++ == ',';
    fail(fmt::format("expected ',' or '{}', found {}", closing, here()));
  }

  DataNode read_number() {
    const char* start = at_;
    if (*at_ == '-') ++at_;
    if (at_ == end_ || !is_digit(*at_)) fail("malformed number", start);
    const bool has_leading_zero = *at_ == '0';
    const char* digits = at_;
    skip_digits();
    if (has_leading_zero && at_ - digits > 1) fail("malformed number: leading zero", start);
    bool is_float = false;
    if (at_ < end_ && *at_ == '.') {
      ++at_;
      is_float = true;
      if (!skip_digits()) fail("malformed number: no digit after the decimal point", start);
    }
    if (at_ < end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      is_float = true;
      if (at_ < end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!skip_digits()) fail("malformed number: no digit in the exponent", start);
    }
    const std::string_view number(start, static_cast<size_t>(at_ - start));
    if (is_float) return DataNode::floating(*parse_float(number));
    if (auto value = parse_integer(number)) return DataNode::integer(*value);
    return DataNode::text(DataKind::kBigInteger, arena_.copy(number));
  }

  bool skip_digits() {
    const char* start = at_;
    while (at_ < end_ && is_digit(*at_)) ++at_;
    return at_ > start;
  }

  std::string_view read_string() {
    const char* opening = at_++;
    const char* start = at_;
    for (;;) {
      at_ += plain_length({at_, static_cast<size_t>(end_ - at_)});
      if (at_ == end_ || static_cast<unsigned char>(*at_) < 0x80) break;
      ++at_;
    }
    const std::string_view plain(start, static_cast<size_t>(at_ - start));
    if (at_ < end_ && *at_ == '"') {
      ++at_;
      return kept(plain);
    }
    std::string unescaped(plain);
    while (at_ < end_ && *at_ != '"') {
      if (*at_ == '\\') {
        read_escape(unescaped);
      } else if (static_cast<unsigned char>(*at_) < 0x20) {
        fail(fmt::format("{} in a string", here()));
      } else {
        unescaped += *at_++;
      }
    }
    if (at_ == end_) fail("unterminated string", opening);
    ++at_;
    return kept(unescaped);
  }

  std::string_view kept(std::string_view text) {
    return is_skipping_ ? std::string_view() : arena_.copy(text);
  }

  void read_escape(std::string& to) {
    const char* start = at_++;
    if (at_ == end_) fail("unterminated string", start);
    const char c = *at_++;
    constexpr std::string_view kLetters = "bfnrt";
    constexpr std::string_view kControls = "\b\f\n\r\t";
    const size_t letter = kLetters.find(c);
    if (letter != std::string_view::npos) {
      to += kControls[letter];
    } else if (c == 'u') {
      read_unicode_escape(to, start);
    } else {
      to += c;  // as in Ruby, an unknown escape is the character itself
    }
  }

  void read_unicode_escape(std::string& to, const char* start) {
    uint32_t code = read_hex(start);
    const bool is_high = code >= 0xD800 && code < 0xDC00;
    if (is_high && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
      at_ += 2;
      const uint32_t low = read_hex(start);
      if (low >= 0xDC00 && low < 0xE000) code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    if (!append_character(to, code)) fail("incomplete surrogate pair", start);
  }

  uint32_t read_hex(const char* start) {
    if (end_ - at_ < 4) fail("incomplete unicode escape", start);
    auto code = parse_integer({at_, 4}, 16);
    if (!code || *code < 0 || *at_ == '+') fail("incomplete unicode escape", start);
    at_ += 4;
    return static_cast<uint32_t>(*code);
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  Arena& arena_;
  std::optional<std::span<const std::string_view>> names_;
  bool is_skipping_ = false;
  bool has_left_out_ = false;
};

}  // namespace

DataNode read_json(std::string_view text, Arena& arena) {
  return JsonReader(text, arena).read();
}

JsonMembers read_json_members(std::string_view text, std::span<const std::string_view> names,
                              Arena& arena) {
  JsonReader reader(text, arena, names);
  const DataNode value = reader.read();
  return {value, reader.has_left_out()};
}

}  // namespace bunraku
