// Files and directories, with errors by kind.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

enum class FileErrorKind : uint8_t {
  kMissing,
  kUnreadable,
  kIsDirectory,
  kNotDirectory,
  kTooLarge,
  kOther
};

// "No such file or directory - /x/site.pp"
class FileError : public std::exception {
 public:
  FileError(FileErrorKind kind, std::string path, std::string reason);
  const char* what() const noexcept override { return shared_->message.c_str(); }
  FileErrorKind kind() const { return kind_; }
  const std::string& path() const { return shared_->path; }
  // The reason without the path.
  const std::string& reason() const { return shared_->reason; }

 private:
  struct Shared {
    std::string path;
    std::string reason;
    std::string message;
  };
  FileErrorKind kind_;
  std::shared_ptr<const Shared> shared_;
};

// Also the lexer's limit, because places in a file have 32 bits.
constexpr uint64_t kLargestFile = uint64_t{1} << 30;

// Data that distinguishes the versions of a file. All zero when there is no such file.
struct FileStamp {
  uint64_t size = 0;
  uint64_t inode = 0;
  int64_t modified = 0;  // nanoseconds since the epoch
  int64_t changed = 0;   // of its metadata, in the same unit: cannot be set back
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp file_stamp(const std::string& path);
// Returns whether the version is some seconds old. A newer one may have the stamp of a later
// version, because the file may change again within the resolution of its times.
bool is_settled(const FileStamp& stamp);

// Reads the whole file ("-" is standard input). Throws FileError.
std::string read_file(const std::string& path, uint64_t largest = kLargestFile);

struct FileVersion {
  std::string contents;
  FileStamp stamp;  // of these contents, or of earlier ones when the file changes meanwhile
};
// Reads a file of an environment, which is trusted to be no device. Throws FileError.
FileVersion read_file_version(const std::string& path);

bool is_file(const std::string& path);
bool is_directory(const std::string& path);
bool exists(const std::string& path);

struct DirectoryEntry {
  std::string name;
  bool is_directory;  // symbolic links are followed
  bool is_link = false;
};
// All entries but "." and "..", sorted by bytes. Throws FileError.
std::vector<DirectoryEntry> list_directory(const std::string& path);
// The digest of entries in reports of reads.
std::string entries_digest(const std::vector<DirectoryEntry>& entries);

// Replaces the file atomically: readers see the old contents or the new. Throws FileError.
void write_file(const std::string& path, std::string_view contents, uint32_t mode = 0644);

// Creates the directory and missing parents. Throws FileError.
void create_directory(const std::string& path);

// Returns the path with all links resolved; empty when it does not exist.
std::string path_without_links(const std::string& path);

// Joins "a" and "b" to "a/b"; an absolute second part is returned alone.
std::string join_path(std::string_view directory, std::string_view name);
// Removes ".", ".." and doubled slashes; relative paths are based on the working directory. Reads
// no files.
std::string absolute_path(std::string_view path);
// "/a/b.pp": "/a" and "b.pp"; "b.pp": "." and "b.pp"
std::string_view parent_directory(std::string_view path);
std::string_view file_name_of(std::string_view path);
// Returns whether the path is below the directory. Both are compared as texts; `directory` ends
// without a slash.
bool is_path_below(std::string_view path, std::string_view directory);
// Returns the path to show to people in the directory: relative to it when it is below it, or below
// a common parent that is near and not a top directory ("../data/common.yaml"); otherwise
// unchanged. Both should be absolute and without ".."; others are shown unchanged.
std::string path_from(std::string_view directory, std::string_view path);

}  // namespace bunraku
