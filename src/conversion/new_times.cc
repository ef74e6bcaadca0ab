#include <cmath>
#include <vector>

#include "conversion/new_function.h"
#include "values/conversion_error.h"
#include "values/time_arithmetic.h"
#include "values/timespan.h"
#include "values/timestamp.h"

namespace bunraku {

namespace {

int64_t time_of_seconds(Value seconds) {
  const std::optional<int64_t> nanoseconds = nanoseconds_of_seconds(seconds);
  if (!nanoseconds) fail_time_range();
  return *nanoseconds;
}

std::vector<std::string_view> formats_of(Value formats) {
  std::vector<std::string_view> texts;
  for (const Value format : formats.as_array()) texts.push_back(format.as_string());
  return texts;
}

Value member(const NewCall& call, std::string_view name) {
  const Value* found = call.argument(0).as_hash().find(name);
  return found ? *found : Value();
}

// --- Timespan -----------------------------------------------------------------------------------

Value timespan_of_text(Value text, Value format) {
  if (format.is_string()) {
    return Value::timespan(parse_timespan(text.as_string(), format.as_string()));
  }
  if (format.is_array()) {
    return Value::timespan(parse_timespan(text.as_string(), formats_of(format)));
  }
  return Value::timespan(parse_timespan(text.as_string()));
}

// Fields: days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds; undef is 0.
Value timespan_of_fields(const Value (&fields)[7], bool negative) {
  constexpr int64_t kUnits[] = {1, 24, 60, 60, 1000, 1000, 1000};
  int64_t total = 0;
  for (size_t i = 0; i < 7; i++) {
    const int64_t field = fields[i].is_integer() ? fields[i].as_integer() : 0;
    if (__builtin_mul_overflow(total, kUnits[i], &total) ||
        __builtin_add_overflow(total, field, &total)) {
      fail_time_range();
    }
  }
  if (negative && __builtin_sub_overflow(int64_t{0}, total, &total)) fail_time_range();
  return Value::timespan(total);
}

Value timespan_from_seconds(const NewCall& call) {
  return Value::timespan(time_of_seconds(call.argument(0)));
}
Value timespan_from_string(const NewCall& call) {
  return timespan_of_text(call.argument(0), call.argument(1));
}
Value timespan_from_fields(const NewCall& call) {
  Value fields[7];
  for (size_t i = 0; i < 7; i++) fields[i] = call.argument(i);
  return timespan_of_fields(fields, false);
}
Value timespan_from_string_hash(const NewCall& call) {
  return timespan_of_text(member(call, "string"), member(call, "format"));
}
Value timespan_from_fields_hash(const NewCall& call) {
  constexpr std::string_view kNames[] = {"days",         "hours",        "minutes",    "seconds",
                                         "milliseconds", "microseconds", "nanoseconds"};
  Value fields[7];
  for (size_t i = 0; i < 7; i++) fields[i] = member(call, kNames[i]);
  const Value negative = member(call, "negative");
  return timespan_of_fields(fields, negative.is_boolean() && negative.as_boolean());
}

// --- Timestamp ----------------------------------------------------------------------------------

Value timestamp_of_text(Value text, Value format, Value timezone) {
  const std::string_view zone = timezone.is_string() ? timezone.as_string() : std::string_view();
  if (format.is_string()) {
    return Value::timestamp(parse_timestamp(text.as_string(), format.as_string(), zone));
  }
  std::vector<std::string_view> formats;
  if (format.is_array()) formats = formats_of(format);
  return Value::timestamp(parse_timestamp(text.as_string(), formats, zone));
}

Value timestamp_now(const NewCall&) {
  return Value::timestamp(current_timestamp());
}
Value timestamp_from_seconds(const NewCall& call) {
  return Value::timestamp(time_of_seconds(call.argument(0)));
}
Value timestamp_from_string(const NewCall& call) {
  return timestamp_of_text(call.argument(0), call.argument(1), call.argument(2));
}
Value timestamp_from_hash(const NewCall& call) {
  return timestamp_of_text(member(call, "string"), member(call, "format"),
                           member(call, "timezone"));
}

}  // namespace

NewImplementation time_implementation(NewForm form) {
  switch (form) {
    case NewForm::kTimespanFromSeconds:
      return timespan_from_seconds;
    case NewForm::kTimespanFromString:
      return timespan_from_string;
    case NewForm::kTimespanFromFields:
      return timespan_from_fields;
    case NewForm::kTimespanFromStringHash:
      return timespan_from_string_hash;
    case NewForm::kTimespanFromFieldsHash:
      return timespan_from_fields_hash;
    case NewForm::kTimestampNow:
      return timestamp_now;
    case NewForm::kTimestampFromSeconds:
      return timestamp_from_seconds;
    case NewForm::kTimestampFromString:
      return timestamp_from_string;
    case NewForm::kTimestampFromHash:
      return timestamp_from_hash;
    default:
      return nullptr;
  }
}

}  // namespace bunraku
