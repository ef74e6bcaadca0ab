#include "values/timestamp.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

#include "base/system/reads.h"
#include "values/conversion_error.h"
#include "values/strftime.h"
#include "values/strptime.h"
#include "values/timespan.h"
#include "values/timezone.h"

namespace bunraku {

namespace {

constexpr std::string_view kDefaultFormats[] = {
    "%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z",
    "%FT%T.%N",    "%FT%T",    "%F %T.%N",    "%F %T",    "%F"};
constexpr std::span<const std::string_view> kFormatsWithoutZone =
    std::span(kDefaultFormats).subspan(5);

bool is_current(std::string_view zone) {
  constexpr std::string_view kCurrent = "current";
  if (zone.size() != kCurrent.size()) return false;
  for (size_t i = 0; i < zone.size(); i++) {
    if ((zone[i] | 0x20) != kCurrent[i]) return false;
  }
  return true;
}

int64_t offset_of(std::string_view zone) {
  if (is_current(zone)) return local_offset(current_timestamp());
  // A text that %z does not match completely is not a zone.
  auto offset = timezone_offset(zone.substr(0, timezone_length(zone)));
  if (!offset) fail_conversion(Issue::kInvalidTime, {fmt::format("Illegal timezone '{}'", zone)});
  return *offset;
}

int64_t nanoseconds_of(const TimeParts& parts, std::string_view zone) {
  if (!parts.year)
    fail_conversion(Issue::kNoImplicitConversion, {"no implicit conversion of nil into Integer"});
  const int64_t hour = parts.hour.value_or(0);
  const int64_t minute = parts.minute.value_or(0);
  const int64_t second = parts.second.value_or(0);
  if (hour == 24 && minute > 0) fail_conversion(Issue::kInvalidTime, {"min out of range"});
  if (hour == 24 && second > 0) fail_conversion(Issue::kInvalidTime, {"sec out of range"});
  if (*parts.year < 1600 || *parts.year > 2300) {
    fail_conversion(Issue::kTimeOutOfRange,
                    {"A Timestamp outside of the years 1678 to 2262 is not supported yet"});
  }
  namespace chrono = std::chrono;
  const chrono::year_month_day first{chrono::year(static_cast<int>(*parts.year)) /
                                     static_cast<int>(parts.month.value_or(1)) / 1};
  // A day beyond the end of the month is a day of the next month.
  const int64_t days =
      chrono::sys_days(first).time_since_epoch().count() + parts.day.value_or(1) - 1;
  int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
  if (!zone.empty()) seconds -= offset_of(zone);
  int64_t result = 0;
  if (__builtin_mul_overflow(seconds, kNanosecondsPerSecond, &result) ||
      __builtin_add_overflow(result, parts.nanosecond.value_or(0), &result)) {
    fail_conversion(Issue::kTimeOutOfRange,
                    {"A Timestamp outside of the years 1678 to 2262 is not supported yet"});
  }
  return result;
}

}  // namespace

std::string timestamp_text(int64_t nanoseconds) {
  return strftime(nanoseconds, kDefaultFormats[0], 0, true);
}

std::string format_timestamp(int64_t nanoseconds, std::string_view format,
                             std::string_view timezone) {
  if (timezone.empty()) return strftime(nanoseconds, format, 0, true);
  // Here zones are rounded down to minutes.
  const int64_t offset = offset_of(timezone);
  const int64_t minutes = offset / 60 - (offset % 60 < 0 ? 1 : 0);
  return strftime(nanoseconds, format, minutes * 60, false);
}

int64_t parse_timestamp(std::string_view text, std::string_view format, std::string_view timezone) {
  auto parts = strptime(text, format);
  if (!parts) {
    fail_conversion(Issue::kInvalidTime,
                    {fmt::format("Unable to parse '{}' using format '{}'", text, format)});
  }
  if (!timezone.empty() && parts->zone.data()) {
    fail_conversion(Issue::kInvalidTime, {"Using a Timezone designator in format specification is "
                                          "mutually exclusive to providing an "
                                          "explicit timezone argument"});
  }
  return nanoseconds_of(*parts, timezone.empty() ? parts->zone : timezone);
}

int64_t parse_timestamp(std::string_view text, std::span<const std::string_view> formats,
                        std::string_view timezone) {
  if (formats.empty()) {
    formats =
        timezone.empty() ? std::span<const std::string_view>(kDefaultFormats) : kFormatsWithoutZone;
  }
  for (const std::string_view format : formats) {
    auto parts = strptime(text, format);
    if (!parts || (!timezone.empty() && parts->zone.data())) continue;
    return nanoseconds_of(*parts, timezone.empty() ? parts->zone : timezone);
  }
  fail_conversion(Issue::kInvalidTime,
                  {fmt::format("Unable to parse '{}' using any of the formats {}", text,
                               fmt::join(formats, ", "))});
}

int64_t current_timestamp() {
  report_untracked("the time was read");
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int64_t local_offset(int64_t nanoseconds) {
  report_untracked("the machine's time zone was read");
  using std::chrono::seconds;
  const std::time_t time =
      std::chrono::floor<seconds>(std::chrono::nanoseconds(nanoseconds)).count();
  std::tm local{};
  localtime_r(&time, &local);
  return local.tm_gmtoff;
}

}  // namespace bunraku
