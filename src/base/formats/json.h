// Reading and writing JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// How deep arrays and objects may stand in each other; Ruby's bound for reading and writing.
constexpr uint32_t kJsonDepth = 100;

// Reads one JSON text. What is returned lives in `arena`. Of equal keys the last value counts, in
// the first one's place, as in Ruby. Throws DataError with the place of the mistake.
DataNode read_json(std::string_view text, Arena& arena);

enum class JsonForm : uint8_t { kCompact, kPretty };

// Writes JSON text exactly as Ruby's JSON.generate (compact) or JSON.pretty_generate (pretty) does:
// of the strings only quotes, backslashes and control characters are escaped.
//
//   JsonWriter json(text, JsonForm::kPretty);
//   json.begin_object();
//   json.key("answer");
//   json.integer(42);
//   json.end_object();
//
// Strings must be UTF-8; numbers must be finite: DataError otherwise.
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
  // Text that is JSON already.
  void raw(std::string_view json);
  void data(const DataNode& node);

  // Bytes of the text so far.
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

// `text` as a JSON string with its quotes.
void append_json_string(std::string& to, std::string_view text);

}  // namespace bunraku
