// Ruby's <=> for values of the language, and the order that a lambda gives.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "evaluation/function.h"

namespace bunraku {

// -1, 0 or 1; nothing when the two have no order.
std::optional<int> ruby_order(Value a, Value b);

// As ruby_order(), but fails with Ruby's message: "comparison of String with 1 failed".
int ruby_order_or_fail(const Call& call, Value a, Value b);

// What a comparing lambda gave for a and b, as a sign. Fails when it is no number.
int order_from_result(const Call& call, Value result, Value a, Value b);

// Ruby's Array#sort, in place: a stable merge sort that compares in the same sequence as the
// reference does, so that a lambda sees the same pairs. `order` gives what the lambda gave (which
// may be a control value, then it is returned at once) or an integer.
Value sort_values(Call& call, std::span<Value> items);

// The same without a lambda, for those who are no function: `fail` gets Ruby's message.
void sort_values(Arena& arena, std::span<Value> items, void (*fail)(std::string message));

}  // namespace bunraku
