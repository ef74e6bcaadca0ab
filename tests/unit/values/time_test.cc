#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "types/interpolation.h"
#include "values/time_arithmetic.h"
#include "values/timespan.h"
#include "values/timestamp.h"

using namespace bunraku;

namespace {

constexpr int64_t kSecond = kNanosecondsPerSecond;
constexpr int64_t kDay = 86400 * kSecond;

template <typename Action>
std::string error_of(Action action) {
  try {
    action();
    return "none";
  } catch (const EvaluationError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("timespan: text and back") {
  const int64_t span = kDay + 2 * 3600 * kSecond + 3 * 60 * kSecond + 4 * kSecond + 500'000'000;
  CHECK(timespan_text(span) == "1-02:03:04.5");
  CHECK(timespan_text(-span) == "-1-02:03:04.5");
  CHECK(timespan_text(INT64_MIN) == "-106751-23:47:16.854775808");
  for (int64_t nanoseconds : {int64_t{0}, kSecond, span, -span, INT64_MAX}) {
    CHECK(parse_timespan(timespan_text(nanoseconds)) == nanoseconds);
  }
}

TEST_CASE("timespan: formats") {
  const int64_t span = 90061 * kSecond + 2'003'000;
  CHECK(format_timespan(span, "%H:%M") == "25:01");
  CHECK(format_timespan(span, "%D %H") == "1 01");
  CHECK(format_timespan(span, "%_5S|%-S|%3L") == "90061|1|2  ");
  CHECK(format_timespan(span, "%S.%-N") == "90061.2003");
  CHECK(parse_timespan("25:01", "%H:%M") == 90060 * kSecond);
  CHECK(error_of([] { format_timespan(0, "%"); }) ==
        "Bad format specifier '' in '%', at position 0");
  CHECK(error_of([] { parse_timespan("x", "%H"); }) == "Unable to parse 'x' using format '%H'");
  CHECK(error_of([] { parse_timespan("1", "%L"); }).starts_with("Format specifiers %L and %N"));
}

TEST_CASE("timestamp: text and back") {
  CHECK(timestamp_text(0) == "1970-01-01T00:00:00.000000000 UTC");
  CHECK(timestamp_text(-1) == "1969-12-31T23:59:59.999999999 UTC");
  for (int64_t nanoseconds : {int64_t{0}, int64_t{-1}, 1'600'000'000 * kSecond + 7}) {
    CHECK(parse_timestamp(timestamp_text(nanoseconds), std::span<const std::string_view>(), {}) ==
          nanoseconds);
  }
}

TEST_CASE("timestamp: directives, flags and zones") {
  int64_t moment = 1'583'020'805 * kSecond + 6'700'000;  // Sunday, 2020-03-01 00:00:05.0067
  CHECK(format_timestamp(moment, "%A %^a %-d %e %j %U %V %G %p %P %#p") ==
        "Sunday SUN 1  1 061 09 09 2020 AM am am");
  CHECK(format_timestamp(moment, "%10Y|%-m|%_m|%3N|%L|%s") == "0000002020|3| 3|006|006|1583020805");
  CHECK(format_timestamp(moment, "%z %:z %::z %Z", "+0530") == "+0530 +05:30 +05:30:00 ");
  CHECK(format_timestamp(moment, "%F %T", "EST") == "2020-02-29 19:00:05");
  CHECK(error_of([&] { format_timestamp(moment, "%F", "nowhere"); }) ==
        "Illegal timezone 'nowhere'");
}

TEST_CASE("timestamp: parsing") {
  CHECK(parse_timestamp("02/03/71 4 PM", "%d/%m/%y %I %p", {}) ==
        parse_timestamp("1971-03-02 16:00", "%F %R", {}));
  CHECK(parse_timestamp("1970-01-01 Eastern Daylight Time", "%F %Z", {}) == 4 * 3600 * kSecond);
  CHECK(parse_timestamp("1970-01-01", "%F", "-0100") == 3600 * kSecond);
  CHECK(error_of([] {
          parse_timestamp("1970 UTC", "%Y %Z", "EST");
        }).starts_with("Using a Timezone designator"));
  CHECK(error_of([] { parse_timestamp("1970x", "%Y", {}); }) ==
        "Unable to parse '1970x' using format '%Y'");
  CHECK(error_of([] { parse_timestamp("9999", "%Y", {}); }).ends_with("not supported yet"));
}

TEST_CASE("arithmetic of times") {
  Value span = Value::timespan(5 * kSecond);
  Value stamp = Value::timestamp(10 * kSecond);
  auto calculate = [](TimeOperator operation, Value left, Value right) {
    const TimeResult result = calculate_times(operation, left, right);
    return result.outcome == TimeOutcome::kValue ? interpolated(result.value) : "none";
  };
  CHECK(calculate(TimeOperator::kSubtract, stamp, stamp) == "0-00:00:00.0");
  CHECK(calculate(TimeOperator::kSubtract, Value::integer(7), span) == "0-00:00:02.0");
  CHECK(calculate(TimeOperator::kDivide, span, Value::timespan(2 * kSecond)) == "2.5");
  CHECK(calculate(TimeOperator::kDivide, Value::timespan(-5 * kSecond), Value::integer(3)) ==
        "-0-00:00:01.666666667");
  CHECK(calculate(TimeOperator::kModulo, span, Value::integer(3)) == "2");
  CHECK(calculate_times(TimeOperator::kDivide, span, Value::integer(0)).outcome ==
        TimeOutcome::kDivisionByZero);
  CHECK(calculate_times(TimeOperator::kMultiply, stamp, Value::integer(2)).outcome ==
        TimeOutcome::kNotApplicable);
  CHECK(calculate_times(TimeOperator::kDivide, Value::integer(2), span).outcome ==
        TimeOutcome::kNotApplicableWhen);
  CHECK(error_of([&] { calculate_times(TimeOperator::kAdd, stamp, stamp); }) ==
        "A Timestamp cannot be added to a Timestamp");
  CHECK(error_of([&] { calculate_times(TimeOperator::kMultiply, span, Value::floating(1e300)); }) !=
        "none");
  CHECK(compare_times(span, Value::floating(5.5)) == -1);
  CHECK(compare_times(Value::integer(6), span) == 1);
  CHECK(compare_times(span, stamp) == 2);
}
