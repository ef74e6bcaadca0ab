// A local file bucket: a directory with earlier contents of files by digest,
// a/b/c/d/e/f/g/h/SUM/contents, and their former paths in `paths`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku::apply {

class Bucket {
 public:
  // `directory` is created when something is first stored. `algorithm` is that of the digests.
  Bucket(std::string directory, std::string algorithm)
      : directory_(std::move(directory)), algorithm_(std::move(algorithm)) {}

  // Stores the contents of a file and returns their digest. Throws Failure.
  std::string backup(const std::string& path) const;
  // Returns the contents for a digest; no value when there are none. Throws Failure.
  std::optional<std::string> contents(std::string_view sum) const;

  // The path for the contents of a digest, whether they exist or not.
  std::string path_of(std::string_view sum) const { return directory_of(sum) + "/contents"; }

  struct Entry {
    std::string sum;
    int64_t time;  // seconds since the epoch
    std::string path;
  };
  // All stored files, sorted by path and then by time.
  std::vector<Entry> list() const;

 private:
  std::string directory_of(std::string_view sum) const;

  std::string directory_;
  std::string algorithm_;
};

}  // namespace bunraku::apply
