#include <yaml.h>

#include <algorithm>
#include <unordered_map>

#include "base/formats/yaml_scalar.h"
#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/text/number_text.h"
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

// Writes values through libyaml with the styles that psych chooses. A collection that stands in a
// value several times is written once and referred to after that.
class YamlText {
 public:
  YamlText(const Call& call, const YamlLayout& layout) : call_(call) {
    yaml_emitter_initialize(&emitter_);
    yaml_emitter_set_output(&emitter_, append, &text_);
    yaml_emitter_set_unicode(&emitter_, 1);
    if (layout.indentation > 0) yaml_emitter_set_indent(&emitter_, layout.indentation);
    if (layout.line_width != 0) yaml_emitter_set_width(&emitter_, layout.line_width);
  }
  ~YamlText() { yaml_emitter_delete(&emitter_); }
  YamlText(const YamlText&) = delete;
  YamlText& operator=(const YamlText&) = delete;

  std::string write(Value value) {
    count(value);
    yaml_event_t event;
    emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), event);
    emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 0), event);
    write_value(value);
    emit(yaml_document_end_event_initialize(&event, 1), event);
    emit(yaml_stream_end_event_initialize(&event), event);
    return std::move(text_);
  }

 private:
  static int append(void* text, unsigned char* buffer, size_t size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<char*>(buffer), size);
    return 1;
  }
  void emit(int is_made, yaml_event_t& event) {
    if (!is_made || !yaml_emitter_emit(&emitter_, &event))
      call_.fail(Issue::kUnrepresentable, {"the value cannot be YAML"});
  }

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
  // False when the collection was written before and an alias stands for it now.
  bool begin_collection(Value value, std::string& anchor) {
    const void* same = identity(value);
    if (same == nullptr || uses_[same] < 2) return true;
    auto [known, is_new] = anchors_.try_emplace(same, anchors_.size() + 1);
    anchor = std::to_string(known->second);
    if (is_new) return true;
    yaml_event_t event;
    emit(yaml_alias_event_initialize(&event, bytes(anchor)), event);
    return false;
  }
  static const yaml_char_t* bytes(const std::string& text) {
    return reinterpret_cast<const yaml_char_t*>(text.c_str());
  }

  void write_value(Value value) {
    switch (value.kind()) {
      case ValueKind::kUndef:
        scalar("", "tag:yaml.org,2002:null", true, false, YAML_ANY_SCALAR_STYLE);
        break;
      case ValueKind::kBoolean:
        plain(value.as_boolean() ? "true" : "false");
        break;
      case ValueKind::kInteger:
        plain(std::to_string(value.as_integer()));
        break;
      case ValueKind::kFloat:
        plain(float_text(value.as_float()));
        break;
      case ValueKind::kDefault:
        plain(":default");
        break;
      case ValueKind::kString:
        if (value.is_byte_string() && !is_ascii(value.as_string())) throw NeedsRubysYaml();
        write_string(std::string(value.as_string()));
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
  void plain(const std::string& text) { scalar(text, nullptr, true, false, YAML_ANY_SCALAR_STYLE); }

  void scalar(const std::string& text, const char* tag, bool plain, bool quoted,
              yaml_scalar_style_t style) {
    yaml_event_t event;
    emit(yaml_scalar_event_initialize(&event, nullptr, reinterpret_cast<const yaml_char_t*>(tag),
                                      bytes(text), static_cast<int>(text.size()), plain, quoted,
                                      style),
         event);
  }

  void write_string(const std::string& text) {
    static const Regex& inner_line_end = *Regex::compile("\\n(?!\\Z)");
    static const Regex& odd_start = *Regex::compile("^[^[:word:]][^\"]*$");
    // Digits that begin as octal ones do.
    static const Regex& nearly_octal = *Regex::compile("\\A0[0-7]*[89]");
    if (!is_valid_utf8(text)) throw NeedsRubysYaml();
    yaml_scalar_style_t style = YAML_PLAIN_SCALAR_STYLE;
    if (inner_line_end.matches(text)) {
      style = YAML_LITERAL_SCALAR_STYLE;
    } else if (text == "<<") {
      scalar(text, "tag:yaml.org,2002:str", false, false, YAML_SINGLE_QUOTED_SCALAR_STYLE);
      return;
    } else if (text == "y" || text == "Y" || text == "n" || text == "N") {
      style = YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    } else if (odd_start.matches(text)) {
      style = YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    } else if (means_something_else(text) || nearly_octal.matches(text)) {
      style = YAML_SINGLE_QUOTED_SCALAR_STYLE;
    }
    scalar(text, nullptr, true, true, style);
  }

  // Would the text come back as a number, a date and so on?
  bool means_something_else(const std::string& text) {
    Arena scratch;
    try {
      return !resolve_plain_scalar(text, true, scratch).is(DataKind::kString);
    } catch (const DataError&) {
      return true;
    }
  }

  void write_array(Value value) {
    std::string anchor;
    if (!begin_collection(value, anchor)) return;
    const NestingGuard guard(nesting_, "A value");
    yaml_event_t event;
    emit(yaml_sequence_start_event_initialize(&event, anchor.empty() ? nullptr : bytes(anchor),
                                              nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE),
         event);
    for (const Value item : value.as_array()) write_value(item);
    emit(yaml_sequence_end_event_initialize(&event), event);
  }
  void write_hash(Value value) {
    std::string anchor;
    if (!begin_collection(value, anchor)) return;
    const NestingGuard guard(nesting_, "A value");
    yaml_event_t event;
    emit(yaml_mapping_start_event_initialize(&event, anchor.empty() ? nullptr : bytes(anchor),
                                             nullptr, 1, YAML_BLOCK_MAPPING_STYLE),
         event);
    for (const HashEntry& entry : value.as_hash()) {
      write_value(entry.key);
      write_value(entry.value);
    }
    emit(yaml_mapping_end_event_initialize(&event), event);
  }

  const Call& call_;
  yaml_emitter_t emitter_;
  std::string text_;
  std::unordered_map<const void*, int> uses_;
  std::unordered_map<const void*, size_t> anchors_;
  Nesting nesting_;
};

}  // namespace

std::string to_yaml_text(const Call& call, Value value, const YamlLayout& layout) {
  return YamlText(call, layout).write(value);
}

}  // namespace bunraku::stdlib
