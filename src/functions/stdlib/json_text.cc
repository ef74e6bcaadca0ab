#include "functions/stdlib/json_text.h"

#include <algorithm>
#include <cmath>

#include "base/formats/json.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/families.h"
#include "values/bounds.h"

namespace bunraku::stdlib {

namespace {

bool is_plain(Value value, Nesting& nesting) {
  const NestingGuard guard(nesting, "A value");
  switch (value.kind()) {
    case ValueKind::kUndef:
    case ValueKind::kBoolean:
    case ValueKind::kInteger:
    case ValueKind::kFloat:
      return true;
    case ValueKind::kString:
      return !value.is_byte_string();
    case ValueKind::kArray:
      return std::ranges::all_of(value.as_array(),
                                 [&](Value item) { return is_plain(item, nesting); });
    case ValueKind::kHash:
      return std::ranges::all_of(value.as_hash(), [&](const HashEntry& entry) {
        return entry.key.is_string() && is_plain(entry.value, nesting);
      });
    default:
      return false;
  }
}

class JsonText {
 public:
  JsonText(const Call& call, const JsonLayout& layout) : call_(call), layout_(layout) {}

  void write(Value value) {
    switch (value.kind()) {
      case ValueKind::kUndef:
        text_ += "null";
        break;
      case ValueKind::kBoolean:
        text_ += value.as_boolean() ? "true" : "false";
        break;
      case ValueKind::kInteger:
        append_integer(text_, value.as_integer());
        break;
      case ValueKind::kFloat:
        write_float(value.as_float());
        break;
      case ValueKind::kString:
        write_string(value.as_string());
        break;
      case ValueKind::kArray:
        write_array(value.as_array());
        break;
      case ValueKind::kHash:
        write_hash(value.as_hash());
        break;
      default:
        write_string(to_s(value));
    }
  }
  std::string take() { return std::move(text_); }

 private:
  void write_float(double number) {
    if (!std::isfinite(number) && !layout_.allows_nan) {
      call_.fail(Issue::kNotFinite, {"920: " + float_text(number) + " not allowed in JSON"});
    }
    append_float(text_, number);
  }
  void write_string(std::string_view text) {
    if (!is_valid_utf8(text))
      call_.fail(Issue::kInvalidEncoding, {"source sequence is illegal/malformed utf-8"});
    append_json_string(text_, text);
  }
  void enter() {
    ++depth_;
    if (layout_.max_nesting > 0 && depth_ > layout_.max_nesting) {
      call_.fail(Issue::kUnrepresentable,
                 {"nesting of " + std::to_string(depth_) + " is too deep"});
    }
  }
  void indent() {
    check_length(text_.size());
    for (int64_t i = 0; i < depth_; ++i) text_ += layout_.indent;
  }
  void write_array(std::span<const Value> items) {
    const NestingGuard guard(nesting_, "An array");
    enter();
    text_ += '[';
    text_ += layout_.array_line_end;
    bool is_first = true;
    for (const Value item : items) {
      if (!is_first) {
        text_ += ',';
        text_ += layout_.array_line_end;
      }
      is_first = false;
      indent();
      write(item);
    }
    --depth_;
    if (!layout_.array_line_end.empty()) {
      text_ += layout_.array_line_end;
      indent();
    }
    text_ += ']';
  }
  void write_hash(const HashObject& hash) {
    const NestingGuard guard(nesting_, "A hash");
    enter();
    text_ += '{';
    bool is_first = true;
    for (const HashEntry& entry : hash) {
      if (!is_first) text_ += ',';
      is_first = false;
      text_ += layout_.object_line_end;
      indent();
      write_string(entry.key.is_string() ? std::string(entry.key.as_string()) : to_s(entry.key));
      text_ += layout_.space_before;
      text_ += ':';
      text_ += layout_.space;
      write(entry.value);
    }
    --depth_;
    if (!layout_.object_line_end.empty()) {
      text_ += layout_.object_line_end;
      indent();
    }
    text_ += '}';
  }

  const Call& call_;
  const JsonLayout& layout_;
  std::string text_;
  int64_t depth_ = 0;
  Nesting nesting_;
};

}  // namespace

std::string to_json_text(const Call& call, Value value, const JsonLayout& layout) {
  JsonText text(call, layout);
  text.write(value);
  return text.take();
}

bool is_plain_data(Value value) {
  Nesting nesting;
  return is_plain(value, nesting);
}

}  // namespace bunraku::stdlib
