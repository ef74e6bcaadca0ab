// The single check of names that become parts of paths.
#include "base/system/safe_name.h"

#include <algorithm>

#include "base/system/file_system.h"

namespace bunraku {

std::string safe_file_name(std::string_view name, std::string_view suffix) {
  constexpr size_t kLongest = 255;
  const bool has_bad_byte = std::ranges::any_of(name, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f || c == '/';
  });
  if (name.empty() || name == "." || name == ".." || has_bad_byte) {
    throw FileError(FileErrorKind::kOther, std::string(name), "a file cannot have such a name");
  }
  std::string file(name);
  file.append(suffix);
  if (file.size() > kLongest) {
    throw FileError(FileErrorKind::kOther, std::string(name), "the name is too long for a file");
  }
  return file;
}

}  // namespace bunraku
