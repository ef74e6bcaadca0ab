// What a Puppetfile says of the repository around it.
#pragma once

#include <string>

namespace bunraku {

// Where the Puppetfile of the directory has modules put, `moduledir 'thirdparty'`; empty when it
// does not say, or there is none.
std::string puppetfile_moduledir(const std::string& directory);

}  // namespace bunraku
