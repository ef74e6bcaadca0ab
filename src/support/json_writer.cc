#include <cmath>
#include <cstring>

#include "support/json.h"
#include "support/number_text.h"
#include "support/utf8.h"

namespace bunraku {

namespace {

// How many bytes from the start are ASCII and stand for themselves. Most strings are nothing else,
// so this is what writing costs; eight bytes at a time.
size_t plain_length(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101;
  constexpr uint64_t kHighBits = 0x8080808080808080;
  const auto has_zero = [](uint64_t word) { return (word - kOnes) & ~word & kHighBits; };
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    const uint64_t is_control = (word - kOnes * 0x20) & ~word;
    const uint64_t is_special = has_zero(word ^ (kOnes * '"')) | has_zero(word ^ (kOnes * '\\'));
    if (((word | is_control | is_special) & kHighBits) != 0) break;
  }
  for (; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\') break;
  }
  return i;
}

void append_escaped(std::string& to, unsigned char c) {
  to += '\\';
  switch (c) {
    case '\b':
      to += 'b';
      break;
    case '\f':
      to += 'f';
      break;
    case '\n':
      to += 'n';
      break;
    case '\r':
      to += 'r';
      break;
    case '\t':
      to += 't';
      break;
    case '"':
    case '\\':
      to += static_cast<char>(c);
      break;
    default:
      to += c < 0x10 ? "u000" : "u001";
      to += "0123456789abcdef"[c & 15];
  }
}

}  // namespace

void append_json_string(std::string& to, std::string_view text) {
  size_t plain = plain_length(text);
  if (plain == text.size()) {
    const size_t start = to.size();
    to.append(text.size() + 2, '"');
    if (plain > 0) std::memcpy(to.data() + start + 1, text.data(), plain);
    return;
  }
  to += '"';
  bool is_checked = false;
  for (;; plain = plain_length(text)) {
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
  begin_item();
  append_json_string(to_, name);
  to_ += is_pretty_ ? ": " : ":";
  is_after_key_ = true;
}

void JsonWriter::open(char bracket) {
  begin_value();
  if (levels_.size() >= kJsonDepth) {
    throw DataError("nesting of " + std::to_string(kJsonDepth + 1) + " is too deep");
  }
  to_ += bracket;
  levels_.push_back({bracket == '[', true});
}

void JsonWriter::close(char bracket) {
  Level level = levels_.back();
  levels_.pop_back();
  if (is_pretty_) {
    // Ruby leaves a line between the brackets of an empty array.
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

void JsonWriter::raw(std::string_view json) {
  begin_value();
  to_ += json;
}

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
          std::string name;
          JsonWriter(name).data(entry.key);
          key(name);
        }
        data(entry.value);
      }
      return end_object();
  }
}

}  // namespace bunraku
