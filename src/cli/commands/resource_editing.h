// `resource --edit`: the code of resources in an editor, and then applied.
#pragma once

#include <string>

namespace bunraku {

class Session;

// Puts `code` into a file of its own in this directory, runs the user's editor on it, and applies
// what the file is then as `apply --verbose FILE` does; the file is removed at the end. The exit
// code. Nothing is applied when the editor fails. Throws FileError.
int edit_and_apply(const std::string& code, Session& session);

}  // namespace bunraku
