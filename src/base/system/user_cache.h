// Where this user keeps what can be made again.
#pragma once

#include <string>

namespace bunraku {

// $XDG_CACHE_HOME/bunraku or ~/.cache/bunraku, absolute; it need not be there. Empty when the
// environment names no such directory. Reads the environment.
std::string user_cache_directory();

}  // namespace bunraku
