// Reads the Puppetfile of a repository.
#pragma once

#include <string>

namespace bunraku {

// The directory of modules that the Puppetfile in `directory` sets, `moduledir 'thirdparty'`; empty
// when it sets none or does not exist.
std::string puppetfile_moduledir(const std::string& directory);

}  // namespace bunraku
