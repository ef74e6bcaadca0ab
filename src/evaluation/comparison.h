// The order and the merging of values as the operators have them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "values/value.h"

namespace bunraku {

// The order of two values as <, <=, >, >= see it: negative, 0 or positive; strings without regard
// to ASCII case. Nothing when they have no order: `reason` is then the reference's explanation,
// empty for a NaN.
std::optional<int> compare(Value left, Value right, std::string_view& reason);

// The order of two numbers, exact also where an integer has no Float of its own; nothing for a NaN.
std::optional<int> compare_numbers(Value a, Value b);
// Of a number and the time right of it, which Ruby makes Floats.
std::optional<int> compare_coerced(Value number, Value time);

// Ruby's ==: numbers by value, times as seconds beside them, strings exactly.
bool ruby_equal(Value a, Value b);

// Values among which others are looked for by Ruby's ==, in time that does not grow with their
// number. The values must live as long as the set.
class RubySet {
 public:
  explicit RubySet(std::span<const Value> values);
  bool has(Value value) const;

 private:
  std::span<const Value> values_;
  std::unordered_map<uint32_t, std::vector<Value>> by_hash_;
  bool has_times_ = false;  // which are equal to numbers: all values are compared
};

// What an array gains by `+ right`: an array's items, a hash's pairs, or the value itself. Lives in
// the arena.
std::span<const Value> as_items(Arena& arena, Value right);
// left - right where left is an array or hash.
Value remove_from_collection(Arena& arena, Value left, Value right);
// Adds [[key, value]...] or [key, value...] to a hash. What is wrong with it in Ruby's words; empty
// when all is well.
std::string add_pairs(HashBuilder& builder, std::span<const Value> items);

}  // namespace bunraku
