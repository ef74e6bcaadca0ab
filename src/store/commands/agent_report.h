// Converts reports in the agent's form to the form of `store report`.
#pragma once

#include <string>

#include "base/formats/data.h"
#include "store/commands/command.h"

namespace bunraku::store {

// Makes the command for a report in the agent's JSON format. `producer` is the certname of the
// server that received it; empty: none. Throws StoreError (kInput) for other data.
Command report_command(const DataNode& report, const std::string& producer);

}  // namespace bunraku::store
