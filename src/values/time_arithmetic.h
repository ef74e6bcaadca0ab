// The operators of Timespan and Timestamp. Other numbers are seconds.
#pragma once

#include <optional>

#include "values/value.h"

namespace bunraku {

inline bool is_time(Value value) {
  return value.is(ValueKind::kTimespan) || value.is(ValueKind::kTimestamp);
}

// Converts a number of seconds to nanoseconds; nothing when they exceed 64 bits. Throws
// EvaluationError in Ruby's words for infinity and for values that are not numbers.
std::optional<int64_t> nanoseconds_of_seconds(Value seconds);
[[noreturn]] void fail_time_range();
double seconds_of(Value time);
// The seconds of a time, rounded down.
int64_t whole_seconds_of(Value time);

enum class TimeOperator : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kModulo };

enum class TimeOutcome : uint8_t {
  kValue,
  kNotApplicable,      // the left operand has no such operator (OPERATOR_NOT_APPLICABLE)
  kNotApplicableWhen,  // not with this right operand (OPERATOR_NOT_APPLICABLE_WHEN)
  kDivisionByZero,
};

struct TimeResult {
  TimeOutcome outcome;
  Value value;
};

// One of `left` and `right` is a time, the other a time or a number. Throws EvaluationError with
// the reference's message where it has a specific one, and when the result is out of range.
TimeResult calculate_times(TimeOperator operation, Value left, Value right);
// The unary minus.
TimeResult negate_time(Value time);

// The order of two times of one kind, or of a time and a number of seconds, like <=>: -1, 0 or 1; 2
// when they cannot be compared.
int compare_times(Value left, Value right);

}  // namespace bunraku
