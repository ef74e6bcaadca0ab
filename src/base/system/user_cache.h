// The user's directory for files that can be created again.
#pragma once

#include <string>

namespace bunraku {

// $XDG_CACHE_HOME/bunraku or ~/.cache/bunraku, absolute; it may not exist. Empty when the
// environment names no such directory. Reads the environment.
std::string user_cache_directory();

}  // namespace bunraku
