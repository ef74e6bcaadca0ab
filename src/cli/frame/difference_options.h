// What the commands that compare catalogs have in common.
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

// The options and the formats.
void take_difference_options(Command& command, DifferenceCommandOptions& options);

// With those that bunraku.toml names. Throws UsageError for what is no rule.
DifferenceOptions difference_options_of(const DifferenceCommandOptions& options,
                                        const Session& session);

// In the format that was asked for.
void print_difference(const DifferenceReport& report, Session& session);

// "File[a] => File[b] => File[a]"
std::string cycle_text(const std::vector<std::string>& cycle);

}  // namespace bunraku
