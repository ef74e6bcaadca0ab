// Creation and removal of a temporary directory.
#include "base/system/temporary_directory.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/system/file_system.h"

namespace bunraku {

TemporaryDirectory::TemporaryDirectory(std::string_view prefix) {
  const char* base = std::getenv("TMPDIR");
  path_ =
      join_path(base != nullptr && *base != '\0' ? base : "/tmp", std::string(prefix) + "-XXXXXX");
  if (mkdtemp(path_.data()) == nullptr) {
    throw FileError(FileErrorKind::kOther, path_, "the temporary directory cannot be made");
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace bunraku
