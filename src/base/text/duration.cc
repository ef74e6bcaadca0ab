// Parsing of durations.
#include "base/text/duration.h"

#include <charconv>
#include <utility>

namespace bunraku {

std::optional<DurationText> read_duration(std::string_view text) {
  constexpr std::pair<char, uint32_t> kUnits[] = {
      {'y', 365 * 24 * 3600}, {'d', 24 * 3600}, {'h', 3600}, {'m', 60}, {'s', 1}};
  DurationText duration{text, 1};
  for (const auto& [letter, seconds] : kUnits) {
    if (!text.ends_with(letter)) continue;
    duration = {text.substr(0, text.size() - 1), seconds};
    break;
  }
  const std::string_view digits = duration.digits;
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  return duration;
}

std::optional<int64_t> duration_seconds(std::string_view text) {
  constexpr size_t kMostDigits = 10;
  const std::optional<DurationText> duration = read_duration(text);
  if (!duration || duration->digits.size() > kMostDigits) return std::nullopt;
  int64_t number = 0;
  std::from_chars(duration->digits.data(), duration->digits.data() + duration->digits.size(),
                  number);
  return number * duration->unit;
}

}  // namespace bunraku
