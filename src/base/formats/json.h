// Reading and writing of JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// The maximum nesting of arrays and objects: Ruby's limit for reading and writing.
constexpr uint32_t kJsonDepth = 100;

// Reads one JSON text. The result is in `arena`. For repeated keys the last value is used, at the
// place of the first, as in Ruby. Throws DataError with the place of the error.
DataNode read_json(std::string_view text, Arena& arena);

enum class JsonForm : uint8_t { kCompact, kPretty };

// Writes JSON exactly as Ruby's JSON.generate (compact) or JSON.pretty_generate (pretty): in
// strings only quotes, backslashes and control characters are escaped.
//
//    JsonWriter json(text, JsonForm::kPretty);
//    json.begin_object();
//    json.key("answer");
//    json.integer(42);
//    json.end_object();
//
//  Strings must be UTF-8; numbers must be finite: DataError otherwise.
class JsonWriter {
 public:
  // Appends to `to`, which must outlive the writer.
  explicit JsonWriter(std::string& to, JsonForm form = JsonForm::kCompact)
      : to_(to), is_pretty_(form == JsonForm::kPretty) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void null();
  void boolean(bool value);
  void integer(int64_t value);
  void number(double value);
  void string(std::string_view text);
  // Writes an array of strings.
  void strings(std::span<const std::string_view> texts);
  // Writes text that is JSON already.
  void raw(std::string_view json);
  void data(const DataNode& node);

  // The number of bytes so far.
  size_t size() const { return to_.size(); }

  // Shorthand for a key with its value.
  void member(std::string_view name, std::string_view text) { key(name), string(text); }
  void member(std::string_view name, int64_t value) { key(name), integer(value); }

 private:
  struct Level {
    bool is_array;
    bool is_empty;
  };
  void open(char bracket);
  void close(char bracket);
  void begin_value();
  void begin_item();
  void new_line();

  std::string& to_;
  bool is_pretty_;
  bool is_after_key_ = false;
  std::vector<Level> levels_;
};

// Appends `text` as a JSON string with quotes.
void append_json_string(std::string& to, std::string_view text);

}  // namespace bunraku
