// A directory that keeps old contents of files, by their digests: a/b/c/d/e/f/g/h/SUM/contents, and
// the paths that they had in `paths`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::apply {

class Bucket {
 public:
  // `directory` is made when something is first kept. `algorithm` is that of the digests.
  Bucket(std::string directory, std::string algorithm)
      : directory_(std::move(directory)), algorithm_(std::move(algorithm)) {}

  // Keeps the contents of a file; its digest. Throws Failure.
  std::string backup(const std::string& path) const;
  // Nothing when there is none. Throws Failure.
  std::optional<std::string> contents(std::string_view sum) const;

  struct Entry {
    std::string sum;
    int64_t time;  // seconds since the epoch
    std::string path;
  };
  // All that is kept, the oldest first.
  std::vector<Entry> list() const;

 private:
  std::string directory_of(std::string_view sum) const;

  std::string directory_;
  std::string algorithm_;
};

}  // namespace bunraku::apply
