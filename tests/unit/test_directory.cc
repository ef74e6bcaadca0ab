#include "test_directory.h"

namespace bunraku {

// Only this file is compiled with the path, so that the others are the same in every work tree.
const std::filesystem::path& test_directory() {
  static const std::filesystem::path path = TEST_DIRECTORY;
  return path;
}

}  // namespace bunraku
