// Comparison and merging of values by the rules of the operators.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "values/value.h"

namespace bunraku {

// The order of two values by <, <=, >, >=: negative, 0 or positive; strings are compared without
// ASCII case. Nothing when they have no order: `reason` is then the reference's explanation, empty
// for a NaN.
std::optional<int> compare(Value left, Value right, std::string_view& reason);

// The order of two numbers, exact also where an integer has no equal Float; nothing for a NaN.
std::optional<int> compare_numbers(Value a, Value b);
// The order of a number and a time to its right, both converted to Floats as in Ruby.
std::optional<int> compare_coerced(Value number, Value time);

// Ruby's ==: numbers by value, times as seconds when compared with numbers, strings exactly.
bool ruby_equal(Value a, Value b);

// A set of values that is searched by Ruby's ==, in time independent of their number. The values
// must live as long as the set.
class RubySet {
 public:
  explicit RubySet(std::span<const Value> values);
  bool has(Value value) const;

 private:
  std::span<const Value> values_;
  std::unordered_map<uint32_t, std::vector<Value>> by_hash_;
  bool has_times_ = false;  // times equal numbers, so all values are compared
};

// The items that `+ right` appends to an array: an array's items, a hash's pairs, or the value
// itself. Stored in the arena.
std::span<const Value> as_items(Arena& arena, Value right);
// Returns left - right for an array or hash on the left.
Value remove_from_collection(Arena& arena, Value left, Value right);
// Adds [[key, value]...] or [key, value...] to a hash. Returns the error in Ruby's words; empty on
// success.
std::string add_pairs(HashBuilder& builder, std::span<const Value> items);

}  // namespace bunraku
