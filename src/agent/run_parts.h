// Helpers of a run.
#pragma once

#include <string>
#include <string_view>

#include "apply/reports/report.h"
#include "base/formats/data.h"

namespace bunraku::agent {

// A random UUID, version 4.
std::string random_uuid();

// The text of a fact by its dotted name, "os.family"; empty when it does not exist.
std::string fact_text(const DataNode& facts, std::string_view name);

// The text of last_run_summary.yaml, with the initial and the last environment of the run.
std::string summary_text(const apply::Report& report, const std::string& initial_environment);

}  // namespace bunraku::agent
