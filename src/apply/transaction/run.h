// One run: applies a catalog, saves state, and completes the report.
#pragma once

#include <string>
#include <string_view>

#include "apply/transaction/catalog.h"

namespace bunraku::apply {

class EarlierState;

// Applies a finalized catalog and writes the state files that the options name. Returns false when
// the run ended early; the reason is logged and in the report. `earlier` must not have been
// finished, and can be used only once.
bool apply_catalog(Catalog& catalog, Report& report, EarlierState& earlier);

// Applies resources that are not the host's own catalog: no state is saved, and no final message is
// logged. Returns false when it ended early; the reason is logged.
bool apply_resources(Catalog& catalog, Report& report);

// Runs the command of `setting` (prerun_command, postrun_command); an empty one succeeds. Returns
// false when it has failed; the failure is logged.
bool run_setting_command(std::string_view setting, const std::string& command, RunLog& log);

}  // namespace bunraku::apply
