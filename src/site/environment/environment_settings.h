// What the settings say of environments and of what runs in them.
#pragma once

#include "site/environment/environment.h"
#include "site/settings/settings.h"

namespace bunraku {

EnvironmentOptions environment_options(const Settings& settings);
ProblemLimits problem_limits(const Settings& settings);
// Does the setting disable_warnings name this kind?
bool disables_warnings(const Settings& settings, std::string_view kind);

// Whether the environment that the settings name has a directory.
bool has_environment(const Settings& settings);

// The environment that the settings name. Without a directory of its own where there is none,
// unless `needs_directory` or the command line asks for it. Throws EvaluationError.
std::shared_ptr<Environment> open_environment(const Settings& settings, bool needs_directory);
// The same to know where files are: nothing is read of the modules.
std::shared_ptr<Environment> open_layout(const Settings& settings);

}  // namespace bunraku
