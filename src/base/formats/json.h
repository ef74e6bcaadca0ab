// Reading and writing of JSON.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/formats/data.h"

namespace bunraku {

class Arena;

// The maximum nesting of arrays and objects: Ruby's limit for reading and writing.
constexpr uint32_t kJsonDepth = 100;

// Reads one JSON text. The result is in `arena`. For repeated keys the last value is used, at the
// place of the first, as in Ruby. Throws DataError with the place of the error.
DataNode read_json(std::string_view text, Arena& arena);

enum class JsonForm : uint8_t { kCompact, kPretty };

// A key that is known when the program is compiled. Such a key must not need escapes.
class JsonKey {
 public:
  template <size_t kSize>
  explicit consteval JsonKey(const char (&name)[kSize]) : size_(kSize + 2) {
    static_assert(kSize + 2 <= kRoom);
    text_[0] = text_[kSize] = '"';
    text_[kSize + 1] = ':';
    for (size_t i = 0; i + 1 < kSize; ++i) {
      if (name[i] < ' ' || name[i] == '"' || name[i] == '\\') throw "the key needs an escape";
      text_[i + 1] = name[i];
    }
  }

 private:
  friend class JsonWriter;
  static constexpr size_t kRoom = 32;
  std::array<char, kRoom> text_{};  // with the quotes and the colon
  size_t size_;
};

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
  // Appends to `to`, which must outlive the writer. While a value is being written, `to` must not
  // be used: it is longer than what has been written.
  explicit JsonWriter(std::string& to, JsonForm form = JsonForm::kCompact)
      : to_(to), is_pretty_(form == JsonForm::kPretty) {}
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;
  ~JsonWriter() { finish(); }

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void key(const JsonKey& name);

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
  size_t size() const {
    return at_ == nullptr ? to_.size() : static_cast<size_t>(at_ - to_.data());
  }

  // Shorthand for a key with its value.
  void member(std::string_view name, std::string_view text) { key(name), string(text); }
  void member(std::string_view name, int64_t value) { key(name), integer(value); }
  void member(const JsonKey& name, std::string_view text) { key(name), string(text); }
  void member(const JsonKey& name, int64_t value) { key(name), integer(value); }

 private:
  void open(char bracket);
  void close(char bracket);
  void begin_value();
  void end_value();
  void begin_item();
  void new_line();
  void escaped_string(std::string_view text);

  // The place of the next byte, with room for `count` bytes.
  char* room(size_t count) {
    if (static_cast<size_t>(end_ - at_) < count) grow(count);
    return at_;
  }
  void put(char c) { *room(1) = c, ++at_; }
  void put(std::string_view text);
  void put_string(std::string_view text);
  void start();
  void grow(size_t count);
  void finish();

  std::string& to_;
  // The part of `to_` that is not yet written; both null between the outermost values. One check
  // for each piece of text costs less than an append to a string.
  char* at_ = nullptr;
  char* end_ = nullptr;
  size_t before_ = 0;  // the size of `to_` before the outermost value
  uint32_t depth_ = 0;
  bool is_pretty_;
  bool is_first_ = true;  // no item of the innermost array or object has been written
  bool is_after_key_ = false;
};

// Appends `text` as a JSON string with quotes.
void append_json_string(std::string& to, std::string_view text);

}  // namespace bunraku
