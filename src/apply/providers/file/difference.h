// The difference of two files by the command of the setting `diff`.
#pragma once

#include <string>

#include "apply/transaction/context.h"

namespace bunraku::apply {

// Returns the command's output; "Binary files … differ" for output that is not text. Throws Failure
// when the command cannot run.
std::string file_difference(const RunOptions& options, const std::string& old_path,
                            const std::string& new_path);

}  // namespace bunraku::apply
