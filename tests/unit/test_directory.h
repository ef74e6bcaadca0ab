// The location of files that tests read.
#pragma once

#include <filesystem>

namespace bunraku {

// The directory tests/ of the work tree.
const std::filesystem::path& test_directory();

}  // namespace bunraku
