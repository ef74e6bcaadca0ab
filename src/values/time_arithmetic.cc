#include "values/time_arithmetic.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "values/conversion_error.h"
#include "values/timespan.h"

namespace bunraku {

namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

int64_t nanoseconds_of(Value time) {
  return time.is(ValueKind::kTimespan) ? time.as_timespan() : time.as_timestamp();
}

std::optional<int64_t> truncated_within_range(double value) {
  if (std::isnan(value)) fail_conversion(Issue::kNotFinite, {"NaN"});
  if (std::isinf(value)) fail_conversion(Issue::kNotFinite, {value < 0 ? "-Infinity" : "Infinity"});
  if (!(value < kTwoTo63 && value >= -kTwoTo63)) return std::nullopt;
  return static_cast<int64_t>(value);
}

int64_t truncated(double value) {
  const std::optional<int64_t> whole = truncated_within_range(value);
  if (!whole) fail_time_range();
  return *whole;
}

// Converts a number of seconds, or a time, to nanoseconds.
int64_t as_nanoseconds(Value value) {
  if (is_time(value)) return nanoseconds_of(value);
  const std::optional<int64_t> nanoseconds = nanoseconds_of_seconds(value);
  if (!nanoseconds) fail_time_range();
  return *nanoseconds;
}

int64_t sum(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) fail_time_range();
  return result;
}

int64_t difference(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) fail_time_range();
  return result;
}

int64_t floor_divide(int64_t a, int64_t b) {
  if (b == -1) return difference(0, a);
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)) ? 1 : 0);
}

TimeResult result(Value value) {
  return {TimeOutcome::kValue, value};
}
TimeResult timespan(int64_t nanoseconds) {
  return result(Value::timespan(nanoseconds));
}
TimeResult timestamp(int64_t nanoseconds) {
  return result(Value::timestamp(nanoseconds));
}
constexpr TimeResult kNotApplicable{TimeOutcome::kNotApplicable, Value()};
constexpr TimeResult kNotApplicableWhen{TimeOutcome::kNotApplicableWhen, Value()};
constexpr TimeResult kDivisionByZero{TimeOutcome::kDivisionByZero, Value()};

bool is_timespan(Value value) {
  return value.is(ValueKind::kTimespan);
}
bool is_timestamp(Value value) {
  return value.is(ValueKind::kTimestamp);
}

TimeResult add(Value left, Value right) {
  if (is_timestamp(left) && is_timestamp(right)) {
    fail_conversion(Issue::kInvalidTimeArithmetic, {"A Timestamp cannot be added to a Timestamp"});
  }
  const int64_t total = sum(as_nanoseconds(left), as_nanoseconds(right));
  return is_timestamp(left) || is_timestamp(right) ? timestamp(total) : timespan(total);
}

TimeResult subtract(Value left, Value right) {
  if (is_timespan(left) && is_timestamp(right)) {
    fail_conversion(Issue::kInvalidTimeArithmetic,
                    {"A Timestamp cannot be subtracted from a Timespan"});
  }
  const int64_t rest = difference(as_nanoseconds(left), as_nanoseconds(right));
  return is_timestamp(left) && !is_timestamp(right) ? timestamp(rest) : timespan(rest);
}

TimeResult multiply(Value left, Value right) {
  if (is_timestamp(left)) return kNotApplicable;
  if (is_time(right)) {
    fail_conversion(Issue::kInvalidTimeArithmetic,
                    {is_timespan(right) ? "A Timestamp cannot be multiplied by a Timespan"
                                        : "A Timestamp cannot be multiplied by a Timestamp"});
  }
  if (right.is_float()) {
    return timespan(truncated(static_cast<double>(left.as_timespan()) * right.as_float()));
  }
  int64_t product = 0;
  if (__builtin_mul_overflow(left.as_timespan(), right.as_integer(), &product)) fail_time_range();
  return timespan(product);
}

TimeResult divide(Value left, Value right) {
  if (is_timestamp(left)) return kNotApplicable;
  if (is_timestamp(right))
    fail_conversion(Issue::kInvalidTimeArithmetic, {"A Timespan cannot be divided by a Timestamp"});
  if (is_timespan(right)) {
    return result(Value::floating(static_cast<double>(left.as_timespan()) /
                                  static_cast<double>(right.as_timespan())));
  }
  if (right.is_integer()) {
    if (right.as_integer() == 0) return kDivisionByZero;
    return timespan(floor_divide(left.as_timespan(), right.as_integer()));
  }
  if (right.as_float() == 0) return kDivisionByZero;
  return timespan(
      truncated(std::floor(static_cast<double>(left.as_timespan()) / right.as_float())));
}

TimeResult modulo(Value left, Value right) {
  if (is_timestamp(left)) return kNotApplicable;
  if (is_time(right)) {
    fail_conversion(Issue::kInvalidTimeArithmetic,
                    {is_timespan(right) ? "Can not do modulus on a Timespan using a a Timespan"
                                        : "Can not do modulus on a Timespan using a a Timestamp"});
  }
  if (right.as_integer() == 0) return kDivisionByZero;
  const int64_t seconds = floor_divide(left.as_timespan(), kNanosecondsPerSecond);
  const int64_t divisor = right.as_integer();
  if (divisor == -1) return result(Value::integer(0));
  return result(Value::integer(seconds - floor_divide(seconds, divisor) * divisor));
}

}  // namespace

std::optional<int64_t> nanoseconds_of_seconds(Value seconds) {
  if (seconds.is_float()) return truncated_within_range(seconds.as_float() * 1e9);
  int64_t result = 0;
  if (__builtin_mul_overflow(seconds.as_integer(), kNanosecondsPerSecond, &result)) {
    return std::nullopt;
  }
  return result;
}

void fail_time_range() {
  fail_conversion(Issue::kTimeOutOfRange,
                  {"A Timespan or Timestamp of more than 292 years is not supported yet"});
}

double seconds_of(Value time) {
  // The fraction is reduced first, as in Ruby's Integer#fdiv, which preserves precision.
  const int64_t nanoseconds = nanoseconds_of(time);
  const int64_t common = std::gcd(nanoseconds, kNanosecondsPerSecond);
  const int64_t numerator = nanoseconds / common;
  const int64_t denominator = kNanosecondsPerSecond / common;
  return static_cast<double>(numerator) / static_cast<double>(denominator);
}

int64_t whole_seconds_of(Value time) {
  const int64_t nanoseconds = nanoseconds_of(time);
  const int64_t seconds = nanoseconds / kNanosecondsPerSecond;
  return nanoseconds % kNanosecondsPerSecond < 0 ? seconds - 1 : seconds;
}

TimeResult calculate_times(TimeOperator operation, Value left, Value right) {
  if (operation == TimeOperator::kModulo && right.is_float()) return kNotApplicableWhen;
  if (operation == TimeOperator::kModulo && left.is_float()) return kNotApplicable;
  if (!is_time(left)) {
    // A number on the left is swapped with the time for commutative operations.
    if (operation == TimeOperator::kAdd ||
        (operation == TimeOperator::kMultiply && is_timespan(right))) {
      std::swap(left, right);
    } else if (operation != TimeOperator::kSubtract || !is_timespan(right)) {
      return kNotApplicableWhen;
    }
  }
  switch (operation) {
    case TimeOperator::kAdd:
      return add(left, right);
    case TimeOperator::kSubtract:
      return subtract(left, right);
    case TimeOperator::kMultiply:
      return multiply(left, right);
    case TimeOperator::kDivide:
      return divide(left, right);
    case TimeOperator::kModulo:
      return modulo(left, right);
  }
  return kNotApplicable;
}

TimeResult negate_time(Value time) {
  if (is_timestamp(time)) return kNotApplicable;
  return timespan(difference(0, time.as_timespan()));
}

int compare_times(Value left, Value right) {
  auto order = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : 0; };
  if (left.kind() == right.kind()) return order(nanoseconds_of(left), nanoseconds_of(right));
  if (is_time(left) && right.is_integer()) {
    return order(floor_divide(nanoseconds_of(left), kNanosecondsPerSecond), right.as_integer());
  }
  if (is_time(left) && right.is_float()) {
    if (std::isnan(right.as_float())) return 2;
    return order(seconds_of(left), right.as_float());
  }
  if (left.is_numeric() && is_time(right)) {
    const int reversed = compare_times(right, left);
    return reversed == 2 ? 2 : -reversed;
  }
  return 2;
}

}  // namespace bunraku
