// A value in the application phase: of a catalog, of the host, or in a report.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/formats/data.h"

namespace bunraku {
class JsonWriter;
class YamlWriter;
}  // namespace bunraku

namespace bunraku::apply {

enum class DatumKind : uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kFloat,
  kString,
  kSymbol,  // a word with a meaning for a type: present, absent, running
  kBinary,  // bytes
  kTime,    // nanoseconds since the epoch
  kRegexp,  // its source, without delimiters
  kScalar,  // the text of a version, range, duration, moment, URI or type of the language
  kArray,
  kHash,
  kSensitive  // a secret value within a list
};

// Owns its content; copies share lists, which never change. Safe to read from any thread.
class Datum {
 public:
  using List = std::vector<Datum>;
  using Entries = std::vector<std::pair<Datum, Datum>>;

  Datum() = default;
  static Datum boolean(bool value);
  static Datum integer(int64_t value);
  static Datum number(double value);
  static Datum string(std::string_view text);
  static Datum symbol(std::string_view name);
  static Datum binary(std::string_view bytes);
  static Datum time(int64_t nanoseconds);
  static Datum array(List items);
  static Datum hash(Entries entries);
  static Datum strings(const std::vector<std::string>& texts);
  static Datum sensitive(Datum value);
  // Converts data. Rich data ("__ptype") becomes the value that it describes, except objects and
  // types written in full, which stay hashes. Sensitive is kept within lists; elsewhere it becomes
  // the value that it holds, and the attribute records that it is sensitive.
  static Datum from(const DataNode& node);

  DatumKind kind() const { return kind_; }
  bool is_null() const { return kind_ == DatumKind::kNull; }
  bool is_boolean() const { return kind_ == DatumKind::kBoolean; }
  bool is_integer() const { return kind_ == DatumKind::kInteger; }
  bool is_string() const { return kind_ == DatumKind::kString; }
  bool is_symbol() const { return kind_ == DatumKind::kSymbol; }
  bool is_symbol(std::string_view name) const { return is_symbol() && text_ == name; }
  bool is_array() const { return kind_ == DatumKind::kArray; }
  bool is_hash() const { return kind_ == DatumKind::kHash; }
  bool is_sensitive() const { return kind_ == DatumKind::kSensitive; }
  // False for null, false, and the symbol `false`.
  bool is_true() const;

  bool boolean_value() const { return number_.integer != 0; }
  int64_t integer_value() const { return number_.integer; }
  int64_t time_value() const { return number_.integer; }
  double float_value() const { return number_.floating; }
  // For a string, a symbol, bytes, a regular expression or a scalar; empty for all others.
  const std::string& text() const { return text_; }
  // /a\/b/ for the regular expression a/b.
  std::string regexp_literal() const;
  // The items of an array, or the one value of a Sensitive; empty for all others.
  const List& items() const;
  // The entries of a hash; empty for all others.
  const Entries& entries() const;
  // The value of a string key, or null.
  const Datum* find(std::string_view key) const;

  // Ruby's inspect: nil, "a", :name, [1, "b"].
  std::string inspected() const;
  // Ruby's to_s: "" for null, a symbol's name, numbers in decimal, {"a"=>[1, nil]}.
  std::string to_text() const;
  // The value in messages: 'a', ['a', 'b'], 1, true; empty for null.
  std::string to_display() const;

  // Ruby's ==, except that 1 and 1.0 differ.
  friend bool operator==(const Datum& a, const Datum& b);

 private:
  explicit Datum(DatumKind kind) : kind_(kind) {}
  static Datum nested(const DataNode& node);
  static Datum hash_of(const DataNode& node);
  static Datum rich(std::string_view type, const DataNode& node);
  static Datum of_text(DatumKind kind, std::string_view text);
  void display(std::string& to, size_t indent) const;
  void inspect(std::string& to) const;

  DatumKind kind_ = DatumKind::kNull;
  union {
    int64_t integer = 0;
    double floating;
  } number_;
  std::string text_;
  std::shared_ptr<const List> items_;
  std::shared_ptr<const Entries> entries_;
};

// Writes YAML as Ruby reads it: symbols with their colon, times in Ruby's format.
void write_yaml(YamlWriter& yaml, const Datum& datum);
// Writes plain data: symbols as strings, bytes in base64.
void write_json(JsonWriter& json, const Datum& datum);

// "2026-11-22T20:22:24.390074753+00:00"
std::string iso_time(int64_t nanoseconds);
// "2026-11-22 20:22:13.540828813 +00:00", as psych writes a time.
std::string yaml_time(int64_t nanoseconds);
// Parses the output of yaml_time, also with another offset; -1 for other text.
int64_t parse_time(std::string_view text);
// The current time.
int64_t now_nanoseconds();

}  // namespace bunraku::apply
