#include <algorithm>
#include <array>
#include <bit>
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

// Extends a string by `count` bytes, which the caller sets, because an append call per piece would
// cost more than the few bytes.
char* extend(std::string& to, size_t count) {
  const size_t size = to.size();
  to.resize(size + count);
  return to.data() + size;
}

// Appends an array of texts, and returns whether they need no escapes; appends nothing otherwise.
bool append_plain_array(std::string& to, std::span<const std::string_view> texts) {
  const size_t before = to.size();
  size_t count = 1;
  for (const std::string_view text : texts) count += text.size() + 3;
  char* at = extend(to, count);
  *at++ = '[';
  bool is_plain = true;
  for (const std::string_view text : texts) {
    *at++ = '"';
    is_plain = copy_plain(at, text) && is_plain;
    at += text.size();
    *at++ = '"';
    *at++ = ',';
  }
  at[-1] = ']';
  if (!is_plain) to.resize(before);
  return is_plain;
}

// `c` is ASCII and not plain.
void append_escaped(std::string& to, unsigned char c) {
  switch (c) {
    case '\n':
      to.append("\\n", 2);
      break;
    case '"':
      to.append("\\\"", 2);
      break;
    case '\\':
      to.append("\\\\", 2);
      break;
    case '\t':
      to.append("\\t", 2);
      break;
    case '\b':
      to.append("\\b", 2);
      break;
    case '\f':
      to.append("\\f", 2);
      break;
    case '\r':
      to.append("\\r", 2);
      break;
    default:
      to += c < 0x10 ? "\\u000" : "\\u001";
      to += "0123456789abcdef"[c & 15];
  }
}

}  // namespace

void append_json_string(std::string& to, std::string_view text) {
  const size_t size = to.size();
  char* const quoted = extend(to, text.size() + 2);
  if (copy_plain(quoted + 1, text)) {
    quoted[0] = quoted[text.size() + 1] = '"';
    return;
  }
  to.resize(size);
  to += '"';
  bool is_checked = false;
  for (;;) {
    const size_t plain = plain_length(text);
    to.append(text, 0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const auto c = static_cast<unsigned char>(text.front());
    if (c < 0x80) {
      append_escaped(to, c);
      text.remove_prefix(1);
      continue;
    }
    if (!is_checked && !is_valid_utf8(text)) {
      throw DataError("source sequence is illegal/malformed utf-8");
    }
    is_checked = true;
    size_t end = 1;
    while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x80) ++end;
    to.append(text, 0, end);
    text.remove_prefix(end);
  }
  to += '"';
}

void JsonWriter::new_line() {
  const size_t start = to_.size();
  to_.append(levels_.size() * 2 + 1, ' ');
  to_[start] = '\n';
}

void JsonWriter::begin_item() {
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.is_empty) to_ += ',';
  level.is_empty = false;
  if (is_pretty_) new_line();
}

void JsonWriter::begin_value() {
  if (is_after_key_) {
    is_after_key_ = false;
  } else {
    begin_item();
  }
}

void JsonWriter::key(std::string_view name) {
  is_after_key_ = true;
  if (!is_pretty_ && !levels_.empty()) {
    const size_t size = to_.size();
    const bool is_first = levels_.back().is_empty;
    char* to = extend(to_, name.size() + (is_first ? 3 : 4));
    if (!is_first) *to++ = ',';
    if (copy_plain(to + 1, name)) {
      levels_.back().is_empty = false;
      to[0] = to[name.size() + 1] = '"';
      to[name.size() + 2] = ':';
      return;
    }
    to_.resize(size);
  }
  begin_item();
  append_json_string(to_, name);
  to_ += ':';
  if (is_pretty_) to_ += ' ';
}

void JsonWriter::open(char bracket) {
  begin_value();
  if (levels_.size() >= kJsonDepth) fail_too_deep();
  to_ += bracket;
  levels_.push_back({bracket == '[', true});
}

void JsonWriter::close(char bracket) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (is_pretty_) {
    // In Ruby's output an empty array has a line end between its brackets.
    if (level.is_array && level.is_empty) to_ += '\n';
    new_line();
  }
  to_ += bracket;
}

void JsonWriter::null() {
  raw("null");
}
void JsonWriter::boolean(bool value) {
  raw(value ? "true" : "false");
}

void JsonWriter::integer(int64_t value) {
  begin_value();
  append_integer(to_, value);
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) throw DataError(float_text(value) + " not allowed in JSON");
  begin_value();
  append_float(to_, value);
}

void JsonWriter::string(std::string_view text) {
  begin_value();
  append_json_string(to_, text);
}

void JsonWriter::strings(std::span<const std::string_view> texts) {
  if (!is_pretty_ && !texts.empty() && levels_.size() < kJsonDepth) {
    begin_value();
    if (append_plain_array(to_, texts)) return;
    is_after_key_ = true;  // the value has begun
  }
  begin_array();
  for (const std::string_view text : texts) string(text);
  end_array();
}

void JsonWriter::raw(std::string_view json) {
  begin_value();
  to_ += json;
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
