// An empty directory for the time of its owner.
#pragma once

#include <string>
#include <string_view>

namespace bunraku {

// Below $TMPDIR, or /tmp; only this user may look into it. The destructor removes it with all that
// is in it, and ignores what cannot be removed.
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
