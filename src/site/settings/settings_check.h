// The reference's checks of settings at the start of a program.
#pragma once

#include "site/settings/settings.h"

namespace bunraku {

// Checks the settings that control the program itself, read from the command line and the sections
// [user] and [main]; the section in `sources` does not matter. Throws EvaluationError for the first
// mistake.
void check_first_settings(SettingsSources sources);

}  // namespace bunraku
