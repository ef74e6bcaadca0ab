// What the settings of the command line mean for parsing and evaluation.
#pragma once

#include <optional>
#include <string_view>

#include "cli/common_options.h"
#include "environment/program_cache.h"
#include "evaluation/evaluator.h"

namespace bunraku {

// The last value given on the command line for a setting.
std::optional<std::string_view> given_setting(const CommonOptions& options, std::string_view name);
// Throws UsageError for a value that the setting cannot take.
bool boolean_setting(const CommonOptions& options, std::string_view name, bool otherwise);

EvaluationSettings evaluation_settings_of(const CommonOptions& options);
ParseSettings parse_settings_of(const CommonOptions& options);

}  // namespace bunraku
