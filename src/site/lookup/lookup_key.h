// Keys of look-ups: a root key, and for dotted keys the segments to dig for in its value.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "values/value.h"

namespace bunraku {

// Splits "a.b.'c.d'.0" at its dots. Quoted segments may have dots, whole numbers become integers.
// Returns no value for a malformed key ("a..b", "", a quote that is not closed).
std::optional<std::vector<Value>> split_lookup_key(std::string_view key);

class LookupKey {
 public:
  // Throws a lookup error for a malformed key. `text` must outlive the object and the values that
  // are made from it.
  explicit LookupKey(std::string_view text);

  std::string_view text() const { return text_; }
  std::string_view root() const { return root_; }
  // The part of the root key before its first ::, or the whole root key when it begins with ::;
  // empty for a key outside any module.
  std::string_view module_name() const { return module_name_; }
  // Strings and integers; empty for a key without dots.
  std::span<const Value> segments() const { return segments_; }
  // The root key and the segments, as an array value.
  Value all_segments(Arena& arena) const;
  // Wraps `value` in hashes and arrays, so that the segments lead to it.
  Value undig(Arena& arena, Value value) const;

 private:
  std::string_view text_;
  std::string_view root_;
  std::string_view module_name_;
  std::vector<Value> segments_;
};

}  // namespace bunraku
