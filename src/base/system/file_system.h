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
  // Without the path.
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

// The lexer's bound too: places in a file are 32 bits wide.
constexpr uint64_t kLargestFile = uint64_t{1} << 30;

// The whole file ("-" is standard input). Throws FileError.
std::string read_file(const std::string& path, uint64_t largest = kLargestFile);

bool is_file(const std::string& path);
bool is_directory(const std::string& path);
bool exists(const std::string& path);

// What distinguishes one version of a file from the next. All zero when there is no such file.
struct FileStamp {
  uint64_t size = 0;
  uint64_t inode = 0;
  int64_t modified = 0;  // nanoseconds since the epoch
  int64_t changed = 0;   // the same, of what is known of it too: it cannot be set back
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};
FileStamp file_stamp(const std::string& path);
// Whether the version is some seconds old. One that is not may get another one's stamp: the file
// may change again within the resolution of its times.
bool is_settled(const FileStamp& stamp);

struct DirectoryEntry {
  std::string name;
  bool is_directory;  // symbolic links are followed
};
// All but "." and "..", in the order of their bytes. Throws FileError.
std::vector<DirectoryEntry> list_directory(const std::string& path);
// What stands for them in tellings of reads.
std::string entries_digest(const std::vector<DirectoryEntry>& entries);

// Replaces the file at once: others see the old contents or the new. Throws FileError.
void write_file(const std::string& path, std::string_view contents, uint32_t mode = 0644);

// The directory and those above it, where they are not there yet. Throws FileError.
void create_directory(const std::string& path);

// Where all links on the way are followed; empty when there is nothing.
std::string path_without_links(const std::string& path);

// "a" and "b" make "a/b"; an absolute second part stands alone.
std::string join_path(std::string_view directory, std::string_view name);
// Without ".", ".." and doubled slashes; relative to the working directory. Looks at no file.
std::string absolute_path(std::string_view path);
// "/a/b.pp": "/a" and "b.pp"; "b.pp": "." and "b.pp"
std::string_view parent_directory(std::string_view path);
std::string_view file_name_of(std::string_view path);
// How paths are shown to people who are in the directory: relative to it when they are below it, or
// below a near directory that both have in common and that is no top one ("../data/common.yaml");
// else as they are. Both are absolute and without "..", or shown as they are.
std::string path_from(std::string_view directory, std::string_view path);

}  // namespace bunraku
