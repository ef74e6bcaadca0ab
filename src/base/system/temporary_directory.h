// An empty directory for the lifetime of its owner.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// A directory below $TMPDIR, or /tmp, accessible only for this user. The destructor removes it with
// its contents, and ignores failures.
class TemporaryDirectory {
 public:
  // The name begins with `prefix`. Throws FileError.
  explicit TemporaryDirectory(std::string_view prefix);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace bunraku
