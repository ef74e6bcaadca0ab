// Shared code of the commands that compare catalogs.
#pragma once

#include <string>
#include <vector>

#include "catalog/difference/difference_report.h"
#include "cli/frame/command.h"

namespace bunraku {

struct DifferenceCommandOptions {
  std::vector<std::string> ignored;
  bool with_tags = false;
};

// Declares the options and formats.
void take_difference_options(Command& command, DifferenceCommandOptions& options);

// The options, with the rules in bunraku.toml. Throws UsageError for an invalid rule.
DifferenceOptions difference_options_of(const DifferenceCommandOptions& options,
                                        const Session& session);

// Prints the report in the requested format.
void print_difference(const DifferenceReport& report, Session& session);

// "File[a] => File[b] => File[a]"
std::string cycle_text(const std::vector<std::string>& cycle);

}  // namespace bunraku
