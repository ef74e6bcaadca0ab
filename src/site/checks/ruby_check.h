// The grammar of files that are Ruby: ERB templates and Puppetfiles, as Ruby itself finds it
// (`ruby -c`). Nothing in them is run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "site/checks/file_kind.h"

namespace bunraku::checks {

// The problems of those of the files that are ERB templates and Puppetfiles, for all of them in one
// process of `ruby`, the path of the program. Throws EvaluationError (RubyUnavailable) when it
// cannot be run or does not answer.
std::vector<Diagnostic> check_with_ruby(std::span<const FoundFile> files, const std::string& ruby);

}  // namespace bunraku::checks
