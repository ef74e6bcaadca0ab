// The user's directory for files that can be created again.
#pragma once

#include <string>

namespace bunraku {

// $XDG_CACHE_HOME/bunraku or ~/.cache/bunraku, absolute; it may not exist. Empty when the
// environment names no such directory. Reads the environment.
std::string user_cache_directory();

// Creates a directory directly in user_cache_directory(), and returns whether it is safe to write
// and remove files in it: it and the cache are directories, not links, of this process's user, and
// no other user can write in them. Nothing is created in the directory of another user, which $HOME
// may be after sudo. Throws FileError.
bool make_user_cache(const std::string& directory);

}  // namespace bunraku
