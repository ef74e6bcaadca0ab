// Writing of YAML with libyaml's emitter and psych's scalar styles.
#include "base/formats/yaml_writer.h"

#include <yaml.h>

#include <algorithm>

#include "base/formats/data.h"
#include "base/formats/yaml_scalar.h"
#include "base/memory/arena.h"
#include "base/regex/regex.h"
#include "base/text/base64.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku {
namespace {

// Returns null for an empty text, which means no tag or no anchor.
const yaml_char_t* name(const std::string& text) {
  return text.empty() ? nullptr : reinterpret_cast<const yaml_char_t*>(text.c_str());
}

// A fast path without patterns: words whose first letter begins no number or keyword.
bool is_surely_plain(std::string_view text) {
  if (text.empty() || text.size() > 64) return false;
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const char first = text.front();
  const bool begins_well = (first >= 'a' && first <= 'z') && first != 'y' && first != 't' &&
                           first != 'o' && first != 'n' && first != 'f';
  return begins_well && std::ranges::all_of(text, is_word);
}

// Returns whether the text would be read as a number, a date and so on.
bool means_something_else(const std::string& text) {
  Arena scratch;
  try {
    return !resolve_plain_scalar(text, true, scratch).is(DataKind::kString);
  } catch (const DataError&) {
    return true;
  }
}

yaml_scalar_style_t style_of(const std::string& text) {
  static const Regex& inner_line_end = *Regex::compile("\\n(?!\\Z)");
  static const Regex& odd_start = *Regex::compile("^[^[:word:]][^\"]*$");
  // Digits that begin like an octal number.
  static const Regex& nearly_octal = *Regex::compile("\\A0[0-7]*[89]");
  if (is_surely_plain(text)) return YAML_PLAIN_SCALAR_STYLE;
  if (inner_line_end.matches(text)) return YAML_LITERAL_SCALAR_STYLE;
  if (text == "y" || text == "Y" || text == "n" || text == "N" || odd_start.matches(text)) {
    return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
  }
  if (means_something_else(text) || nearly_octal.matches(text)) {
    return YAML_SINGLE_QUOTED_SCALAR_STYLE;
  }
  return YAML_PLAIN_SCALAR_STYLE;
}

}  // namespace

struct YamlWriter::State {
  yaml_emitter_t emitter;
  std::string text;

  static int append(void* text, unsigned char* buffer, size_t size) {
    static_cast<std::string*>(text)->append(reinterpret_cast<char*>(buffer), size);
    return 1;
  }
  void emit(int is_made, yaml_event_t& event) {
    if (is_made == 0 || yaml_emitter_emit(&emitter, &event) == 0) {
      throw DataError("the value cannot be YAML");
    }
  }
  void scalar(const std::string& value, const char* tag, bool is_plain, bool is_quoted,
              yaml_scalar_style_t style) {
    yaml_event_t event;
    emit(yaml_scalar_event_initialize(&event, nullptr, reinterpret_cast<const yaml_char_t*>(tag),
                                      reinterpret_cast<const yaml_char_t*>(value.c_str()),
                                      static_cast<int>(value.size()), is_plain, is_quoted, style),
         event);
  }
};

YamlWriter::YamlWriter(const YamlLayout& layout) : state_(std::make_unique<State>()) {
  yaml_emitter_initialize(&state_->emitter);
  yaml_emitter_set_output(&state_->emitter, State::append, &state_->text);
  yaml_emitter_set_unicode(&state_->emitter, 1);
  if (layout.indentation > 0) yaml_emitter_set_indent(&state_->emitter, layout.indentation);
  if (layout.line_width != 0) yaml_emitter_set_width(&state_->emitter, layout.line_width);
  yaml_event_t event;
  state_->emit(yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING), event);
  state_->emit(yaml_document_start_event_initialize(&event, nullptr, nullptr, nullptr, 0), event);
}

YamlWriter::~YamlWriter() {
  yaml_emitter_delete(&state_->emitter);
}

void YamlWriter::null() {
  state_->scalar("", "tag:yaml.org,2002:null", true, false, YAML_ANY_SCALAR_STYLE);
}

void YamlWriter::boolean(bool value) {
  plain(value ? "true" : "false");
}

void YamlWriter::integer(int64_t value) {
  plain(std::to_string(value));
}

void YamlWriter::number(double value) {
  plain(float_text(value));
}

void YamlWriter::symbol(std::string_view name) {
  const std::string text(name);
  if (text.empty()) return state_->scalar(":\"\"", nullptr, true, false, YAML_ANY_SCALAR_STYLE);
  state_->scalar(":" + text, nullptr, true, false, YAML_ANY_SCALAR_STYLE);
}

void YamlWriter::string(std::string_view text) {
  const std::string value(text);
  if (!is_valid_utf8(value)) {
    state_->scalar(encode_base64(value), "!binary", false, false, YAML_LITERAL_SCALAR_STYLE);
    return;
  }
  if (value == "<<") {
    state_->scalar(value, "tag:yaml.org,2002:str", false, false, YAML_SINGLE_QUOTED_SCALAR_STYLE);
    return;
  }
  state_->scalar(value, nullptr, true, true, style_of(value));
}

void YamlWriter::plain(std::string_view text) {
  state_->scalar(std::string(text), nullptr, true, false, YAML_ANY_SCALAR_STYLE);
}

void YamlWriter::begin_sequence(const std::string& anchor) {
  yaml_event_t event;
  state_->emit(yaml_sequence_start_event_initialize(&event, name(anchor), nullptr, 1,
                                                    YAML_BLOCK_SEQUENCE_STYLE),
               event);
}

void YamlWriter::end_sequence() {
  yaml_event_t event;
  state_->emit(yaml_sequence_end_event_initialize(&event), event);
}

void YamlWriter::begin_mapping(const std::string& tag, const std::string& anchor) {
  yaml_event_t event;
  state_->emit(yaml_mapping_start_event_initialize(&event, name(anchor), name(tag),
                                                   tag.empty() ? 1 : 0, YAML_BLOCK_MAPPING_STYLE),
               event);
}

void YamlWriter::end_mapping() {
  yaml_event_t event;
  state_->emit(yaml_mapping_end_event_initialize(&event), event);
}

void YamlWriter::alias(const std::string& anchor) {
  yaml_event_t event;
  state_->emit(yaml_alias_event_initialize(&event, name(anchor)), event);
}

std::string YamlWriter::finish() {
  yaml_event_t event;
  state_->emit(yaml_document_end_event_initialize(&event, 1), event);
  state_->emit(yaml_stream_end_event_initialize(&event), event);
  return std::move(state_->text);
}

}  // namespace bunraku
