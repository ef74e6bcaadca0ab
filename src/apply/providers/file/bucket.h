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

  // Where the contents of a digest lie, whether they are there or not.
  std::string path_of(std::string_view sum) const { return directory_of(sum) + "/contents"; }

  struct Entry {
    std::string sum;
    int64_t time;  // seconds since the epoch
    std::string path;
  };
  // All that is kept, by paths and then by times.
  std::vector<Entry> list() const;

 private:
  std::string directory_of(std::string_view sum) const;

  std::string directory_;
  std::string algorithm_;
};

}  // namespace bunraku::apply
