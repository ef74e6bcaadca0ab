// Functions on times.
#include "evaluation/evaluator.h"
#include "functions/core/families.h"
#include "functions/core/warnings.h"
#include "values/timespan.h"
#include "values/timestamp.h"

namespace bunraku {

namespace {

std::string_view text_argument(Call& call, size_t at) {
  return call.argument(at).is_string() ? call.argument(at).as_string() : std::string_view();
}

Value strftime_timespan(Call& call) {
  return Value::string(call.arena(), format_timespan(call.arguments[0].as_timespan(),
                                                     call.arguments[1].as_string()));
}

Value strftime_timestamp(Call& call) {
  return Value::string(call.arena(),
                       format_timestamp(call.arguments[0].as_timestamp(),
                                        call.arguments[1].as_string(), text_argument(call, 2)));
}

Value strftime_now(Call& call) {
  warn_deprecated(call, "legacy#strftime",
                  "The argument signature (String format, [String timezone]) is deprecated for "
                  "#strftime. See #strftime documentation and Timespan type for more info",
                  true);
  return Value::string(
      call.arena(),
      format_timestamp(current_timestamp(), call.arguments[0].as_string(), text_argument(call, 1)));
}

constexpr Overload kStrftime[] = {
    {"(Timespan $time_object, String $format)", strftime_timespan},
    {"(Timestamp $time_object, String $format, String $timezone = default)", strftime_timestamp},
    {"(String $format, String $timezone = default)", strftime_now}};

constexpr NativeFunctionInfo kTimeFunctions[] = {
    {"strftime", kStrftime,
     "Formats a Timestamp, as in a timezone when one is named, or a Timespan. The format is "
     "Ruby's: `%Y-%m-%d %H:%M:%S` and so on; a Timespan has `%D`, `%H`, `%M`, `%S`, `%L` and `%N`.",
     "strftime(Timestamp('2024-02-29T12:30:00'), '%d %B %Y, %H:%M', 'CET')"},
};

}  // namespace

std::span<const NativeFunctionInfo> time_functions() {
  return kTimeFunctions;
}

}  // namespace bunraku
