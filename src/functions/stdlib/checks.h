// The standard library's older checks, which several functions share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evaluation/function.h"

namespace bunraku::stdlib {

// Is the value what `is_<name>` of the older interface says it is?
bool is_absolute_path(const Call& call, Value value);
bool is_domain_name(Value value);
bool is_email_address(Value value);

// Runs the older `validate_<name>` on the arguments. What is wrong, in its words; nothing when all
// is well. `is_known` becomes false when there is no such function.
std::optional<std::string> previous_validation(const Call& call, std::string_view function,
                                               std::span<const Value> arguments, bool& is_known);

// The module's `deprecation`: an error, a warning or nothing, by the setting `strict`; or a
// warning, whatever that is.
enum class Deprecation : uint8_t { kBySetting, kAlwaysTold };
void deprecation(const Call& call, std::string_view key, std::string message,
                 Deprecation how = Deprecation::kBySetting);

// What the reference says, once, when a function loads another one through its old autoloader.
void warn_of_autoloader(const Call& call, std::string_view function);

}  // namespace bunraku::stdlib
