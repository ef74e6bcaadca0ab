#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/formats/json.h"
#include "base/formats/json_text.h"
#include "base/text/number_text.h"
#include "base/text/ruby_text.h"
#include "base/text/utf8.h"

namespace bunraku {

namespace {

[[noreturn]] void fail_too_deep() {
  throw DataError("nesting of " + std::to_string(kJsonDepth + 1) + " is too deep");
}

// Copies the bytes; returns 0 when none of them needs an escape or a check.
template <size_t kCount>
uint64_t copy_block(char* to, const char* from) {
  const auto words = unusual_bytes<kCount>(from);
  std::memcpy(to, from, kCount);
  return words.front() | words.back();
}

// Copies a text of at least `kCount` bytes and returns whether all of them are plain; the last
// block overlaps the one before it.
template <size_t kCount>
bool copy_blocks(char* to, std::string_view text) {
  const size_t last = text.size() - kCount;
  uint64_t unusual = 0;
  for (size_t i = 0; i < last; i += kCount) unusual |= copy_block<kCount>(to + i, text.data() + i);
  return (unusual | copy_block<kCount>(to + last, text.data() + last)) == 0;
}

// Copies a text and returns whether it needs no escapes. Most strings need none, so this dominates
// the cost of writing; the copy of any other is discarded.
bool copy_plain(char* to, std::string_view text) {
  if (text.size() >= 16) return copy_blocks<16>(to, text);
  if (text.size() >= 8) return copy_blocks<8>(to, text);
  if (text.size() >= 4) return copy_blocks<4>(to, text);
  bool is_plain = true;
  for (const char c : text) {
    is_plain = is_plain && is_usual(c);
    *to++ = c;
  }
  return is_plain;
}

// The longest form of one byte: "\u0000".
constexpr size_t kLongestEscape = 6;

// Writes the escape of `c`, which is ASCII and not plain, and returns its end.
char* write_escape(char* to, unsigned char c) {
  static constexpr std::string_view kSpecial = "\n\"\\\t\b\f\r", kLetters = "n\"\\tbfr";
  *to++ = '\\';
  if (const size_t at = kSpecial.find(static_cast<char>(c)); at != std::string_view::npos) {
    *to++ = kLetters[at];
    return to;
  }
  to = std::ranges::copy(std::string_view(c < 0x10 ? "u000" : "u001"), to).out;
  *to++ = "0123456789abcdef"[c & 15];
  return to;
}

}  // namespace

void append_json_string(std::string& to, std::string_view text) {
  JsonWriter(to).string(text);
}

void JsonWriter::start() {
  before_ = to_.size();
  at_ = end_ = to_.data() + before_;
}

void JsonWriter::grow(size_t count) {
  // A string sets new bytes to 0: few at a time, which stay in the processor's nearest memory.
  constexpr size_t kSmallest = 64, kLargest = 8192;
  const auto size = static_cast<size_t>(at_ - to_.data());
  to_.resize(size + std::max(count, std::clamp(size - before_, kSmallest, kLargest)));
  at_ = to_.data() + size;
  end_ = to_.data() + to_.size();
}

void JsonWriter::finish() {
  if (at_ == nullptr) return;
  to_.resize(static_cast<size_t>(at_ - to_.data()));
  at_ = end_ = nullptr;
}

void JsonWriter::put(std::string_view text) {
  at_ += text.copy(room(text.size()), text.size());
}

void JsonWriter::put_string(std::string_view text) {
  char* const to = room(text.size() + 2);
  if (!copy_plain(to + 1, text)) return escaped_string(text);
  to[0] = to[text.size() + 1] = '"';
  at_ = to + text.size() + 2;
}

void JsonWriter::escaped_string(std::string_view text) {
  put('"');
  bool is_checked = false;
  for (;;) {
    const size_t plain = plain_length(text);
    put(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto c = static_cast<unsigned char>(text.front());
    if (c < 0x80) {
      at_ = write_escape(room(kLongestEscape), c);
      text.remove_prefix(1);
      continue;
    }
    if (!is_checked && !is_valid_utf8(text)) {
      throw DataError("source sequence is illegal/malformed utf-8");
    }
    is_checked = true;
    size_t end = 1;
    while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80) ++end;
    put(text.substr(0, end));
    text.remove_prefix(end);
  }
  put('"');
}

void JsonWriter::new_line() {
  const size_t count = size_t{depth_} * 2 + 1;
  char* const to = room(count);
  std::memset(to, ' ', count);
  to[0] = '\n';
  at_ += count;
}

void JsonWriter::begin_item() {
  if (at_ == nullptr) start();
  if (depth_ == 0) return;
  if (!is_first_) put(',');
  is_first_ = false;
  if (is_pretty_) new_line();
}

void JsonWriter::begin_value() {
  if (is_after_key_) {
    is_after_key_ = false;
  } else {
    begin_item();
  }
}

void JsonWriter::end_value() {
  if (depth_ == 0) finish();
}

void JsonWriter::key(std::string_view name) {
  begin_item();
  put_string(name);
  put(':');
  if (is_pretty_) put(' ');
  is_after_key_ = true;
}

void JsonWriter::key(const JsonKey& name) {
  begin_item();
  std::memcpy(room(name.text_.size()), name.text_.data(), name.text_.size());
  at_ += name.size_;
  if (is_pretty_) put(' ');
  is_after_key_ = true;
}

void JsonWriter::open(char bracket) {
  begin_value();
  if (depth_ >= kJsonDepth) fail_too_deep();
  put(bracket);
  ++depth_;
  is_first_ = true;
}

void JsonWriter::close(char bracket) {
  --depth_;
  if (is_pretty_) {
    // In Ruby's output an empty array has a line end between its brackets.
    if (bracket == ']' && is_first_) put('\n');
    new_line();
  }
  put(bracket);
  is_first_ = false;
  end_value();
}

void JsonWriter::null() {
  raw("null");
}
void JsonWriter::boolean(bool value) {
  raw(value ? "true" : "false");
}

void JsonWriter::integer(int64_t value) {
  constexpr size_t kLongest = 20;
  begin_value();
  char* const to = room(kLongest);
  at_ = std::to_chars(to, to + kLongest, value).ptr;
  end_value();
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) throw DataError(float_text(value) + " not allowed in JSON");
  raw(float_text(value));
}

void JsonWriter::string(std::string_view text) {
  begin_value();
  put_string(text);
  end_value();
}

void JsonWriter::strings(std::span<const std::string_view> texts) {
  begin_array();
  for (const std::string_view text : texts) {
    begin_item();
    put_string(text);
  }
  end_array();
}

void JsonWriter::raw(std::string_view json) {
  begin_value();
  put(json);
  end_value();
}

namespace {

void append_inspected(std::string& text, const DataNode& node, uint32_t depth);

void append_inspected_hash(std::string& text, const DataNode& node, uint32_t depth) {
  text += '{';
  const char* separator = "";
  for (const DataEntry& entry : node.entries()) {
    text += std::exchange(separator, ", ");
    append_inspected(text, entry.key, depth + 1);
    text += "=>";
    append_inspected(text, entry.value, depth + 1);
  }
  text += '}';
}

// Appends a node as by Ruby's inspect.
void append_inspected(std::string& text, const DataNode& node, uint32_t depth) {
  if (depth > kJsonDepth) fail_too_deep();
  switch (node.kind()) {
    case DataKind::kNull:
      text += "nil";
      return;
    case DataKind::kString:
      return append_ruby_inspect(text, node.text_value());
    case DataKind::kSymbol:
      text.append(":").append(node.text_value());
      return;
    case DataKind::kRegexp:
      text.append("/").append(node.text_value()).append("/");
      return;
    case DataKind::kHash:
      return append_inspected_hash(text, node, depth);
    case DataKind::kArray: {
      text += '[';
      const char* separator = "";
      for (const DataNode& item : node.items()) {
        text += std::exchange(separator, ", ");
        append_inspected(text, item, depth + 1);
      }
      text += ']';
      return;
    }
    default:
      JsonWriter(text).data(node);
  }
}

// The text of a key that is not a string, as by Ruby's to_s. The depth is limited, because each
// level of nested texts doubles the backslashes below it.
std::string key_text(const DataNode& key) {
  std::string text;
  if (!key.is(DataKind::kNull)) append_inspected(text, key, 1);
  return text;
}

}  // namespace

void JsonWriter::data(const DataNode& node) {
  switch (node.kind()) {
    case DataKind::kNull:
      return null();
    case DataKind::kBoolean:
      return boolean(node.boolean_value());
    case DataKind::kInteger:
      return integer(node.integer_value());
    case DataKind::kBigInteger:
      return raw(node.text_value());
    case DataKind::kFloat:
      return number(node.float_value());
    case DataKind::kString:
    case DataKind::kSymbol:
    case DataKind::kRegexp:
      return string(node.text_value());
    case DataKind::kArray:
      begin_array();
      for (const DataNode& item : node.items()) data(item);
      return end_array();
    case DataKind::kHash:
      begin_object();
      for (const DataEntry& entry : node.entries()) {
        if (entry.key.is(DataKind::kString) || entry.key.is(DataKind::kSymbol)) {
          key(entry.key.text_value());
        } else {
          key(key_text(entry.key));
        }
        data(entry.value);
      }
      return end_object();
  }
}

}  // namespace bunraku
