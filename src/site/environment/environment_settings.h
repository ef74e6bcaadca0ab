// Options of environments, and of programs that run in them, by the settings.
#pragma once

#include "site/environment/environment.h"
#include "site/settings/settings.h"

namespace bunraku {

EnvironmentOptions environment_options(const Settings& settings);
ProblemLimits problem_limits(const Settings& settings);
// Returns whether the setting disable_warnings names this kind.
bool disables_warnings(const Settings& settings, std::string_view kind);

// Returns whether the environment that the settings name has a directory.
bool has_environment(const Settings& settings);

// Opens the environment that the settings name. Where it does not exist, it is made without a
// directory, unless `needs_directory` is set or the command line names it. Throws EvaluationError.
std::shared_ptr<Environment> open_environment(const Settings& settings, bool needs_directory);
// Opens it only for the locations of files: no contents of modules are read.
std::shared_ptr<Environment> open_layout(const Settings& settings);

}  // namespace bunraku
