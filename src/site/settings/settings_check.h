// What the reference finds wrong with settings before it does anything else.
#pragma once

#include "site/settings/settings.h"

namespace bunraku {

// Looks at the settings that have a say in how the program itself runs. `sources` names any
// section: what counts here are the command line and the sections [user] and [main]. Throws
// EvaluationError for the first mistake.
void check_first_settings(SettingsSources sources);

}  // namespace bunraku
