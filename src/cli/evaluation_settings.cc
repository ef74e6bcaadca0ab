#include "cli/evaluation_settings.h"

#include <fmt/core.h>

#include "cli/command.h"

namespace bunraku {

std::optional<std::string_view> given_setting(const CommonOptions& options, std::string_view name) {
  std::optional<std::string_view> found;
  for (const auto& [given, value] : options.settings) {
    if (given == name) found = value;
  }
  return found;
}

bool boolean_setting(const CommonOptions& options, std::string_view name, bool otherwise) {
  std::optional<std::string_view> value = given_setting(options, name);
  if (!value) return otherwise;
  if (*value == "true" || *value == "yes" || value->empty()) return true;
  if (*value == "false" || *value == "no") return false;
  throw UsageError(fmt::format("the setting {} is true or false, not '{}'", name, *value));
}

namespace {

Strictness strictness_of(const CommonOptions& options) {
  std::string_view value = given_setting(options, "strict").value_or("error");
  if (value == "error") return Strictness::kError;
  if (value == "warning") return Strictness::kWarning;
  if (value == "off") return Strictness::kOff;
  throw UsageError(fmt::format("the setting strict is off, warning or error, not '{}'", value));
}

}  // namespace

EvaluationSettings evaluation_settings_of(const CommonOptions& options) {
  EvaluationSettings settings;
  settings.strict = strictness_of(options);
  settings.strict_variables = boolean_setting(options, "strict_variables", true);
  settings.storeconfigs = boolean_setting(options, "storeconfigs", false);
  settings.tasks = boolean_setting(options, "tasks", false);
  return settings;
}

ParseSettings parse_settings_of(const CommonOptions& options) {
  ParseSettings settings;
  settings.tasks = boolean_setting(options, "tasks", false);
  settings.strict = strictness_of(options);
  return settings;
}

}  // namespace bunraku
