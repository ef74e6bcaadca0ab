// Syntax checks of Ruby files, ERB templates and Puppetfiles, by Ruby itself (`ruby -c`). No code
// in them runs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "site/checks/file_kind.h"

namespace bunraku::checks {

// Returns the problems of the ERB templates and Puppetfiles among the files. One process of `ruby`,
// the path of the program, checks all of them. Throws EvaluationError (RubyUnavailable) when it
// cannot be run or does not answer.
std::vector<Diagnostic> check_with_ruby(std::span<const FoundFile> files, const std::string& ruby);

}  // namespace bunraku::checks
