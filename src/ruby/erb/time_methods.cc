// Points in time: Time.now, Time.at(seconds), and what their objects return.
#include <charconv>
#include <functional>
#include <string>

#include "base/diagnostics/diagnostic.h"
#include "base/regex/regex.h"
#include "ruby/erb/interpreter.h"
#include "values/strftime.h"
#include "values/timestamp.h"

namespace bunraku::erb {

namespace {

using enum BlockUse;

constexpr int64_t kSecond = 1'000'000'000;  // nanoseconds

int64_t offset_of(const TimeObject& time) {
  return time.is_utc ? 0 : local_offset(time.nanoseconds);
}

std::string formatted(Interpreter& ruby, const TimeObject& time, std::string_view format) {
  static const Regex& names_zone = *Regex::compile("%[-0-9^#_:]*[Z+]");
  if (!time.is_utc && names_zone.matches(format)) ruby.fail_with("the name of a time zone");
  try {
    std::string text = strftime(time.nanoseconds, format, offset_of(time), time.is_utc);
    ruby.check_size(text.size());
    return text;
  } catch (const EvaluationError&) {
    ruby.fail_with("such a format of a time");
  }
}

Object object_of(Interpreter& ruby, int64_t nanoseconds, bool is_utc) {
  Object object(Class::kTime);
  object.time = ruby.arena().make<TimeObject>(nanoseconds, is_utc);
  return object;
}

Object moved(Interpreter& ruby, const Object& self, int64_t nanoseconds) {
  int64_t sum = 0;
  if (__builtin_add_overflow(self.time->nanoseconds, nanoseconds, &sum)) {
    ruby.fail_with("such a time");
  }
  return object_of(ruby, sum, self.time->is_utc);
}

// Only whole seconds within the range of nanoseconds are supported.
int64_t nanoseconds_of(Interpreter& ruby, const Object& seconds) {
  int64_t nanoseconds = 0;
  if (!seconds.is(Class::kInteger) ||
      __builtin_mul_overflow(seconds.integer, kSecond, &nanoseconds)) {
    ruby.fail_with("such a number of seconds");
  }
  return nanoseconds;
}

Object now(Interpreter& ruby, Object self, const Arguments&) {
  expect(ruby, self, Class::kTime, "now");
  return object_of(ruby, current_timestamp(), false);
}

Object at(Interpreter& ruby, Object self, const Arguments& arguments) {
  expect(ruby, self, Class::kTime, "at");
  return object_of(ruby, nanoseconds_of(ruby, arguments[0]), false);
}

template <bool kIsUtc>
Object change_zone(Interpreter&, Object self, const Arguments&) {
  self.time->is_utc = kIsUtc;
  return self;
}

template <bool kIsUtc>
Object in_zone(Interpreter& ruby, Object self, const Arguments&) {
  return object_of(ruby, self.time->nanoseconds, kIsUtc);
}

Object text_in_format(Interpreter& ruby, Object self, const Arguments& arguments) {
  return ruby.string(formatted(ruby, *self.time, ruby.text_of(arguments[0])));
}

Object text_of(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.string(time_text(ruby, *self.time));
}

Object iso_text(Interpreter& ruby, Object self, const Arguments&) {
  return ruby.string(formatted(ruby, *self.time, self.time->is_utc ? "%FT%TZ" : "%FT%T%:z"));
}

// The number that strftime's directive produces: the day for 'd'.
template <char kDirective>
Object part(Interpreter& ruby, Object self, const Arguments&) {
  const std::string text = formatted(ruby, *self.time, std::string{'%', '-', kDirective});
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return ruby.integer(number);
}

// The nanoseconds after the last whole second.
int64_t fraction(const TimeObject& time) {
  return (time.nanoseconds % kSecond + kSecond) % kSecond;
}

Object add(Interpreter& ruby, Object self, const Arguments& arguments) {
  return moved(ruby, self, nanoseconds_of(ruby, arguments[0]));
}

Object subtract(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kTime)) {
    return moved(ruby, self, -nanoseconds_of(ruby, arguments[0]));
  }
  // Ruby rounds the exact quotient.
  constexpr int64_t kMostExact = int64_t{1} << 53;
  int64_t difference = 0;
  if (__builtin_sub_overflow(self.time->nanoseconds, arguments[0].time->nanoseconds, &difference) ||
      difference > kMostExact || difference < -kMostExact) {
    ruby.fail_with("such a difference of times");
  }
  return Object::of(static_cast<double>(difference) / static_cast<double>(kSecond));
}

template <typename Test>
Object compared(Interpreter& ruby, Object self, const Arguments& arguments) {
  if (!arguments[0].is(Class::kTime)) ruby.fail_with("a time and something else");
  return ruby.boolean(Test()(self.time->nanoseconds, arguments[0].time->nanoseconds));
}

constexpr Method kTimeMethods[] = {
    {Class::kClass, "now", 0, 0, kNever, now},
    {Class::kClass, "at", 1, 1, kNever, at},
    {Class::kTime, "utc", 0, 0, kNever, change_zone<true>},
    {Class::kTime, "gmtime", 0, 0, kNever, change_zone<true>},
    {Class::kTime, "localtime", 0, 0, kNever, change_zone<false>},
    {Class::kTime, "getutc", 0, 0, kNever, in_zone<true>},
    {Class::kTime, "getgm", 0, 0, kNever, in_zone<true>},
    {Class::kTime, "getlocal", 0, 0, kNever, in_zone<false>},
    {Class::kTime, "strftime", 1, 1, kNever, text_in_format},
    {Class::kTime, "to_s", 0, 0, kNever, text_of},
    {Class::kTime, "iso8601", 0, 0, kNever, iso_text},
    {Class::kTime, "xmlschema", 0, 0, kNever, iso_text},
    {Class::kTime, "to_i", 0, 0, kNever, part<'s'>},
    {Class::kTime, "year", 0, 0, kNever, part<'Y'>},
    {Class::kTime, "month", 0, 0, kNever, part<'m'>},
    {Class::kTime, "mon", 0, 0, kNever, part<'m'>},
    {Class::kTime, "day", 0, 0, kNever, part<'d'>},
    {Class::kTime, "mday", 0, 0, kNever, part<'d'>},
    {Class::kTime, "hour", 0, 0, kNever, part<'H'>},
    {Class::kTime, "min", 0, 0, kNever, part<'M'>},
    {Class::kTime, "sec", 0, 0, kNever, part<'S'>},
    {Class::kTime, "wday", 0, 0, kNever, part<'w'>},
    {Class::kTime, "yday", 0, 0, kNever, part<'j'>},
    {Class::kTime, "nsec", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.integer(fraction(*self.time));
     }},
    {Class::kTime, "usec", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.integer(fraction(*self.time) / 1000);
     }},
    {Class::kTime, "utc?", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.boolean(self.time->is_utc);
     }},
    {Class::kTime, "utc_offset", 0, 0, kNever,
     [](Interpreter& ruby, Object self, const Arguments&) {
       return ruby.integer(offset_of(*self.time));
     }},
    {Class::kTime, "+", 1, 1, kNever, add},
    {Class::kTime, "-", 1, 1, kNever, subtract},
    {Class::kTime, "==", 1, 1, kNever, compared<std::equal_to<>>},
    {Class::kTime, "<", 1, 1, kNever, compared<std::less<>>},
    {Class::kTime, ">", 1, 1, kNever, compared<std::greater<>>},
    {Class::kTime, "<=", 1, 1, kNever, compared<std::less_equal<>>},
    {Class::kTime, ">=", 1, 1, kNever, compared<std::greater_equal<>>},
};

}  // namespace

std::string time_text(Interpreter& ruby, const TimeObject& time) {
  return formatted(ruby, time, time.is_utc ? "%F %T UTC" : "%F %T %z");
}

std::span<const Method> time_methods() {
  return kTimeMethods;
}

}  // namespace bunraku::erb
