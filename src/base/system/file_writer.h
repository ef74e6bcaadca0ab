// Atomic writing of files, without exposing secrets to other users.
//
//  A file is written without a name in the directory of its target, with its final mode from the
//  start, and replaces the target by a rename when it is complete: others see the old contents or
//  the new. When the target is a symbolic link, the file that it points to is replaced. Targets
//  that are not regular files (a pipe, a device, a terminal) are never replaced: the bytes are
//  written to them.
//
//  When something fails, or the writer is destroyed before commit(), nothing is left behind and the
//  target is unchanged (except for bytes already written to a special file). All errors are
//  FileErrors.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

struct FileOwner {
  uid_t user;
  gid_t group;
};

struct NewFile {
  // Exactly this mode; otherwise 0666 less the process's umask.
  std::optional<mode_t> mode = {};
  // The caller's when not given. Set before the mode, and before any contents.
  std::optional<FileOwner> owner = {};
  // commit() returns only after the file is on disk, even if the system fails afterwards. Not
  // needed for files that can be created again.
  bool is_synced = true;
  // Replaces the link or special file itself with a regular file, for a resource `file` with `links
  // => manage`.
  bool replaces_anything = false;
};

// For files with possible secrets: catalogs, caches, explanations, profiles.
constexpr NewFile kSecretFile{.mode = 0600};
// The same, for files that can be created again.
constexpr NewFile kSecretCacheFile{.mode = 0600, .is_synced = false};

// One file being written. Not thread-safe.
class FileWriter {
 public:
  // Throws when the target's directory accepts no new file or the target is a directory.
  FileWriter(const std::string& path, const NewFile& kind);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // May be called repeatedly. After an exception the writer must only be destroyed.
  void write(std::string_view bytes);
  // Moves the file to its place.
  void commit();

  // For other properties that must be set before the file is visible (attributes, a label); owned
  // by the writer.
  int descriptor() const { return descriptor_; }
  bool is_special() const { return is_special_; }

 private:
  [[noreturn]] void fail(int error) const;
  void open_special();
  void open_new(const NewFile& kind);
  void open_named(mode_t mode);
  void set_owner_and_mode(const NewFile& kind);
  void link_temporary();

  std::string path_;       // as given by the caller, for messages
  std::string target_;     // the path to replace, with links resolved
  std::string temporary_;  // its name beside the target; empty while it has none
  int descriptor_ = -1;
  bool is_special_ = false;
  bool is_synced_;
};

// Writes a whole file.
void write_file(const std::string& path, std::string_view contents, const NewFile& kind);

// Creates the directory and missing parents, accessible only by the owner. Throws FileError.
void create_private_directory(const std::string& path);

// Removes files of killed writers in a directory, whose names contain the process. Throws FileError
// when the directory cannot be read.
void remove_abandoned_files(const std::string& directory);

}  // namespace bunraku
