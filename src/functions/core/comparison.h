// Ruby's <=> for values of the language, and sorting with a lambda.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "evaluation/function.h"

namespace bunraku {

// Returns -1, 0 or 1; no value when the two have no order.
std::optional<int> ruby_order(Value a, Value b);

// As ruby_order(), but fails with Ruby's message: "comparison of String with 1 failed".
int ruby_order_or_fail(const Call& call, Value a, Value b);

// The sign of a comparing lambda's result for a and b. Fails when the result is not a number.
int order_from_result(const Call& call, Value result, Value a, Value b);

// Ruby's Array#sort, in place: a stable merge sort that compares in the same sequence as the
// reference, so that the call's lambda gets the same pairs. Returns the control value when the
// lambda was left by one.
Value sort_values(Call& call, std::span<Value> items);

// Sorts without a lambda, for callers that are not functions: `fail` gets Ruby's message.
void sort_values(Arena& arena, std::span<Value> items, void (*fail)(std::string message));

}  // namespace bunraku
