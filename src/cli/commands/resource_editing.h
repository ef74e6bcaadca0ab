// `resource --edit`: edits the code of resources and applies it.
#pragma once

#include <string>

namespace bunraku {

class Session;

// Writes `code` to a new file in this directory, runs the user's editor on it, and applies the
// edited file as `apply --verbose FILE` does; the file is removed at the end. Returns the exit
// code. Nothing is applied when the editor fails. Throws FileError.
int edit_and_apply(const std::string& code, Session& session);

}  // namespace bunraku
