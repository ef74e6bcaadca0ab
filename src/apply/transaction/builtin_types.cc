// Types that the transaction itself needs: containers, the ends of containers, and schedules.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "apply/transaction/catalog.h"
#include "apply/transaction/schedule.h"
#include "base/regex/regex.h"
#include "base/text/number_text.h"
#include "base/text/utf8.h"

namespace bunraku::apply {
namespace {

constexpr AttributeInfo kNameOnly[] = {{.name = "name", .is_namevar = true}};

class Container : public ResourceType {
 public:
  explicit Container(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }
  std::span<const AttributeInfo> attributes() const override { return kNameOnly; }
  bool is_container() const override { return true; }
  bool can_refresh() const override { return true; }

 private:
  std::string_view name_;
};

class Stage : public ResourceType {
 public:
  std::string_view name() const override { return "stage"; }
  std::span<const AttributeInfo> attributes() const override { return kNameOnly; }
};

constexpr AttributeInfo kScheduleAttributes[] = {
    {.name = "name", .is_namevar = true},
    {.name = "range"},
    {.name = "periodmatch", .values = "number distance", .default_value = "distance"},
    {.name = "period", .values = "hourly daily weekly monthly never"},
    {.name = "repeat", .default_value = "1"},
    {.name = "weekday"},
};

std::vector<std::string> texts_of(const Datum& value) {
  std::vector<std::string> texts;
  if (value.is_array()) {
    for (const Datum& item : value.items()) texts.push_back(item.to_text());
  } else {
    texts.push_back(value.to_text());
  }
  return texts;
}

// The number of the weekday from Sunday; -1 for other text.
int weekday_of(const std::string& text) {
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '6') return text[0] - '0';
  static const Regex& name =
      *Regex::compile("(?i)^(Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(day)?$");
  if (!is_valid_utf8(text) || !name.matches(text)) return -1;
  constexpr std::string_view kDays[] = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
  const std::string start = downcase(text.substr(0, 3));
  return static_cast<int>(std::ranges::find(kDays, start) - std::begin(kDays));
}

// Parses "2:30 - 4" into six numbers.
Datum parse_range(const AttributeInfo& attribute, const Datum& value, const std::string& text) {
  static const Regex& form = *Regex::compile("\\d+(:\\d+){0,2}\\s*-\\s*\\d+(:\\d+){0,2}");
  if (!is_valid_utf8(text) || !form.matches(text)) {
    throw Failure(fmt::format("Invalid range value '{}'", text));
  }
  Datum::List numbers;
  const size_t dash = text.find('-');
  if (text.find('-', dash + 1) != std::string::npos) {
    throw Failure(fmt::format("Invalid range {}", text));
  }
  for (const std::string_view side :
       {std::string_view(text).substr(0, dash), std::string_view(text).substr(dash + 1)}) {
    int64_t parts[3] = {0, 0, 0};
    size_t count = 0;
    for (const char c : side) {
      if (c >= '0' && c <= '9' && count < 3) parts[count] = parts[count] * 10 + (c - '0');
      if (c == ':') ++count;
    }
    if (parts[0] > 23) {
      throw munging_failure(attribute, value, fmt::format("Invalid hour '{}'", parts[0]));
    }
    if (parts[1] > 59) {
      throw munging_failure(attribute, value, fmt::format("Invalid minute '{}'", parts[1]));
    }
    for (const int64_t part : parts) numbers.push_back(Datum::integer(part));
  }
  return Datum::array(std::move(numbers));
}

class Schedule : public ResourceType {
 public:
  std::string_view name() const override { return "schedule"; }
  std::vector<Instance> instances(Context&) const override { return {}; }
  std::span<const AttributeInfo> attributes() const override { return kScheduleAttributes; }
  Datum munge(Resource& resource, const AttributeInfo& attribute,
              const Datum& value) const override {
    if (attribute.name == "range") {
      Datum::List ranges;
      for (const std::string& text : texts_of(value))
        ranges.push_back(parse_range(attribute, value, text));
      return Datum::array(std::move(ranges));
    }
    if (attribute.name == "weekday") {
      Datum::List days;
      for (const std::string& text : texts_of(value)) {
        const int day = weekday_of(text);
        if (day < 0) throw Failure(fmt::format("{} is not a valid day of the week", text));
        days.push_back(Datum::integer(day));
      }
      return Datum::array(std::move(days));
    }
    if (attribute.name == "repeat") {
      const std::optional<int64_t> number = parse_integer(value.to_text());
      if (!number) throw Failure("Repeat must be a number");
      if (*number != 1 && resource.value("periodmatch").is_symbol("number")) {
        throw Failure("Repeat must be 1 unless periodmatch is 'distance', not 'number'");
      }
      return Datum::integer(*number);
    }
    return ResourceType::munge(resource, attribute, value);
  }
};

std::tm local_fields(std::time_t time) {
  std::tm fields = {};
  localtime_r(&time, &fields);
  return fields;
}

// The time of a clock on the day `days` after that of `now`.
std::time_t time_of_day(const std::tm& now, int days, std::span<const Datum> clock) {
  std::tm fields = now;
  fields.tm_mday += days;
  fields.tm_hour = static_cast<int>(clock[0].integer_value());
  fields.tm_min = static_cast<int>(clock[1].integer_value());
  fields.tm_sec = static_cast<int>(clock[2].integer_value());
  fields.tm_isdst = -1;
  return std::mktime(&fields);
}

bool has_weekday(const Datum& days, int day) {
  if (days.is_null()) return true;
  return std::ranges::find(days.items(), Datum::integer((day + 7) % 7)) != days.items().end();
}

bool matches_range(const Datum& range, const Datum& weekdays, std::time_t now) {
  const std::tm fields = local_fields(now);
  const std::span<const Datum> clock(range.items());
  const std::time_t start = time_of_day(fields, 0, clock.subspan(0, 3));
  const std::time_t end = time_of_day(fields, 0, clock.subspan(3));
  if (start < end) return now >= start && now <= end && has_weekday(weekdays, fields.tm_wday);
  // In a range over midnight, the weekday is that of its start.
  if (now >= start && now <= time_of_day(fields, 1, clock.subspan(3))) {
    return has_weekday(weekdays, fields.tm_wday);
  }
  return now >= time_of_day(fields, -1, clock.subspan(0, 3)) && now <= end &&
         has_weekday(weekdays, fields.tm_wday - 1);
}

bool matches_period(const Resource& schedule, std::time_t previous, std::time_t now) {
  const std::string& period = schedule.value("period").text();
  if (period == "never") return false;
  if (schedule.value("periodmatch").is_symbol("number")) {
    const std::tm then = local_fields(previous), today = local_fields(now);
    if (period == "hourly") return then.tm_hour != today.tm_hour;
    if (period == "daily") return then.tm_mday != today.tm_mday;
    if (period == "monthly") return then.tm_mon != today.tm_mon;
    return then.tm_wday > today.tm_wday || now - previous > 7 * 86400;
  }
  int64_t scale = 3600;
  if (period == "daily") scale = 86400;
  if (period == "weekly") scale = 604800;
  if (period == "monthly") scale = 2592000;
  const int64_t repeat = std::max<int64_t>(schedule.value("repeat").integer_value(), 1);
  return now - previous >= scale / repeat;
}

}  // namespace

bool matches_schedule(const Resource& schedule, int64_t previous, int64_t now) {
  const Datum& weekdays = schedule.value("weekday");
  const Datum& ranges = schedule.value("range");
  if (!ranges.is_null()) {
    const bool is_inside = std::ranges::any_of(
        ranges.items(), [&](const Datum& range) { return matches_range(range, weekdays, now); });
    if (!is_inside) return false;
  } else if (!has_weekday(weekdays, local_fields(now).tm_wday)) {
    return false;
  }
  return schedule.value("period").is_null() || matches_period(schedule, previous, now);
}

void add_builtin_types(TypeRegistry& registry) {
  registry.add(std::make_unique<Container>("component"));
  registry.add(std::make_unique<Container>("whit"));
  registry.add(std::make_unique<Stage>());
  registry.add(std::make_unique<Schedule>());
}

}  // namespace bunraku::apply
