// The standard library's older checks, as far as several functions share them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku::stdlib {

// The checks of `is_<name>` in the older interface.
bool is_absolute_path(const Call& call, Value value);
bool is_domain_name(Value value);
bool is_email_address(Value value);

// Runs the older `validate_<name>` on the arguments. Returns its message, or no value when the
// arguments are valid. Sets `is_known` to false when there is no such function.
std::optional<std::string> previous_validation(const Call& call, std::string_view function,
                                               std::span<const Value> arguments, bool& is_known);

// How the module's `deprecation` reports: as an error, a warning or not at all, by the setting
// `strict`; or always as a warning.
enum class Deprecation : uint8_t { kBySetting, kAlwaysWarned };
void deprecation(const Call& call, std::string_view key, std::string message,
                 Deprecation how = Deprecation::kBySetting);

// Logs the reference's one-time warning for a function that loads another one through the old
// autoloader.
void warn_of_autoloader(const Call& call, std::string_view function);

}  // namespace bunraku::stdlib
