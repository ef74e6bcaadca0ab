#include <cmath>

#include "support/json.h"
#include "support/number_text.h"
#include "support/utf8.h"

namespace bunraku {

void append_json_string(std::string& to, std::string_view text) {
  if (!is_valid_utf8(text)) throw DataError("source sequence is illegal/malformed utf-8");
  to += '"';
  size_t plain = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    to.append(text, plain, i - plain);
    plain = i + 1;
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
  to.append(text, plain);
  to += '"';
}

void JsonWriter::new_line() {
  to_ += '\n';
  to_.append(levels_.size() * 2, ' ');
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
