#include "test_directory.h"

namespace bunraku {

// The only file that is compiled with the path, so that all others are the same in every work tree.
const std::filesystem::path& test_directory() {
  static const std::filesystem::path path = TEST_DIRECTORY;
  return path;
}

}  // namespace bunraku
