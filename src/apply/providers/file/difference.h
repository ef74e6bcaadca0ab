// What differs between two files, as the command of the setting `diff` says it.
#pragma once

#include <string>

#include "apply/transaction/context.h"

namespace bunraku::apply {

// The command's output; "Binary files … differ" when it is no text. Throws Failure when it cannot
// be run.
std::string file_difference(const RunOptions& options, const std::string& old_path,
                            const std::string& new_path);

}  // namespace bunraku::apply
