// to_yaml: values as YAML text, with psych's anchors.
#include <algorithm>
#include <unordered_map>

#include "base/formats/data.h"
#include "base/text/utf8.h"
#include "evaluation/evaluator.h"
#include "functions/stdlib/families.h"
#include "functions/stdlib/json_text.h"
#include "values/bounds.h"

namespace bunraku::stdlib {

namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return c < 0; });
}

// Writes values as psych does. A collection that occurs several times in a value is written once,
// and referred to by an alias later.
class YamlText {
 public:
  explicit YamlText(const YamlLayout& layout) : yaml_(layout) {}

  std::string write(Value value) {
    count(value);
    write_value(value);
    return yaml_.finish();
  }
  // Writes a hash that is new, so that nothing in it refers to it, with its keys as symbols.
  std::string write_symbolized(const HashObject& hash) {
    for (const HashEntry& entry : hash) count(entry.value);
    yaml_.begin_mapping();
    for (const HashEntry& entry : hash) {
      write_symbol(entry.key);
      write_value(entry.value);
    }
    yaml_.end_mapping();
    return yaml_.finish();
  }

 private:
  static const void* identity(Value value) {
    if (value.is_array()) return value.as_array().empty() ? nullptr : value.as_array().data();
    if (value.is_hash()) return value.as_hash().size == 0 ? nullptr : &value.as_hash();
    return nullptr;
  }
  void count(Value value) {
    const void* same = identity(value);
    if (same == nullptr || ++uses_[same] > 1) return;
    const NestingGuard guard(nesting_, "A value");
    if (value.is_array()) {
      for (const Value item : value.as_array()) count(item);
    } else {
      for (const HashEntry& entry : value.as_hash()) {
        count(entry.key);
        count(entry.value);
      }
    }
  }
  // Returns false when the collection has been written before; then an alias has been written.
  bool begin_collection(Value value, std::string& anchor) {
    const void* same = identity(value);
    if (same == nullptr || uses_[same] < 2) return true;
    auto [known, is_new] = anchors_.try_emplace(same, anchors_.size() + 1);
    anchor = std::to_string(known->second);
    if (is_new) return true;
    yaml_.alias(anchor);
    return false;
  }

  void write_value(Value value) {
    switch (value.kind()) {
      case ValueKind::kUndef:
        yaml_.null();
        break;
      case ValueKind::kBoolean:
        yaml_.boolean(value.as_boolean());
        break;
      case ValueKind::kInteger:
        yaml_.integer(value.as_integer());
        break;
      case ValueKind::kFloat:
        yaml_.number(value.as_float());
        break;
      case ValueKind::kDefault:
        yaml_.symbol("default");
        break;
      case ValueKind::kString:
        write_string(value);
        break;
      case ValueKind::kArray:
        write_array(value);
        break;
      case ValueKind::kHash:
        write_hash(value);
        break;
      default:
        throw NeedsRubysYaml();
    }
  }
  void write_string(Value value) {
    const std::string_view text = value.as_string();
    if (value.is_byte_string() ? !is_ascii(text) : !is_valid_utf8(text)) throw NeedsRubysYaml();
    yaml_.string(text);
  }

  void write_symbol(Value name) {
    const bool is_name = name.is_string() && !name.is_byte_string() && !name.as_string().empty();
    if (!is_name || !is_valid_utf8(name.as_string())) throw NeedsRubysYaml();
    yaml_.symbol(name.as_string());
  }

  void write_array(Value value) {
    std::string anchor;
    if (!begin_collection(value, anchor)) return;
    const NestingGuard guard(nesting_, "A value");
    yaml_.begin_sequence(anchor);
    for (const Value item : value.as_array()) write_value(item);
    yaml_.end_sequence();
  }
  void write_hash(Value value) {
    std::string anchor;
    if (!begin_collection(value, anchor)) return;
    const NestingGuard guard(nesting_, "A value");
    yaml_.begin_mapping({}, anchor);
    for (const HashEntry& entry : value.as_hash()) {
      write_value(entry.key);
      write_value(entry.value);
    }
    yaml_.end_mapping();
  }

  YamlWriter yaml_;
  std::unordered_map<const void*, int> uses_;
  std::unordered_map<const void*, size_t> anchors_;
  Nesting nesting_;
};

[[noreturn]] void fail_unrepresentable(const Call& call) {
  call.fail(Issue::kUnrepresentable, {"the value cannot be YAML"});
}

}  // namespace

std::string to_yaml_text(const Call& call, Value value, const YamlLayout& layout) {
  try {
    return YamlText(layout).write(value);
  } catch (const DataError&) {
    fail_unrepresentable(call);
  }
}

std::string to_symbolized_yaml_text(const Call& call, const HashObject& hash) {
  try {
    return YamlText({}).write_symbolized(hash);
  } catch (const DataError&) {
    fail_unrepresentable(call);
  }
}

}  // namespace bunraku::stdlib
