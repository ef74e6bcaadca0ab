// One run: a catalog is applied, what has to be remembered is remembered, and the report is
// complete.
#pragma once

#include <string>
#include <string_view>

#include "apply/transaction/catalog.h"

namespace bunraku::apply {

class EarlierState;

// Applies a finalized catalog. What ends the run early is logged; the report says so, too. False
// then. Writes the state files that the options name. `earlier`, which has not been finished, takes
// part once.
bool apply_catalog(Catalog& catalog, Report& report, EarlierState& earlier);

// Applies resources that are no catalog of the host's own: nothing is remembered, and no line ends
// the run. False when it ended early, which is logged.
bool apply_resources(Catalog& catalog, Report& report);

// Runs the command that `setting` (prerun_command, postrun_command) names; an empty one is done.
// False when it has failed, which is logged.
bool run_setting_command(std::string_view setting, const std::string& command, RunLog& log);

}  // namespace bunraku::apply
