// Writing files so that no reader sees half of one, and no other user a secret.
//
// A file is written without a name in the directory of its target, with its mode from the
// beginning, and takes its place by a rename once all of it is there: others see the old contents
// or the new. Where the target is a symbolic link, the file that it leads to is replaced. What is
// no regular file (a pipe, a device, a terminal) is never replaced: the bytes are written to it.
//
// When something fails, or the writer is destroyed before commit(), nothing is left behind and the
// target is as it was (but for bytes that a special file has taken). All errors are FileErrors.
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
  // Of the caller when not given. Set before the mode, and before there are contents.
  std::optional<FileOwner> owner = {};
  // The file is on the disk when commit() returns, also should the system fail then. Not needed for
  // what can be made again.
  bool is_synced = true;
  // Replace the link or special file itself with a regular file, as a resource `file` with
  // `links => manage` demands.
  bool replaces_anything = false;
};

// What may hold secrets: catalogs, caches, explanations, profiles.
constexpr NewFile kSecretFile{.mode = 0600};
// The same, of what can be made again.
constexpr NewFile kSecretCacheFile{.mode = 0600, .is_synced = false};

// One file that is being written. Used by one thread.
class FileWriter {
 public:
  // Throws where the target's directory takes no new file or the target is a directory.
  FileWriter(const std::string& path, const NewFile& kind);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  // May be called many times. After an exception only destruction is valid.
  void write(std::string_view bytes);
  // Puts the file into its place.
  void commit();

  // For what else is to be set before it can be seen (attributes, a label); owned by the writer.
  int descriptor() const { return descriptor_; }
  bool is_special() const { return is_special_; }

 private:
  [[noreturn]] void fail(int error) const;
  void open_special();
  void open_new(const NewFile& kind);
  void open_named(mode_t mode);
  void set_owner_and_mode(const NewFile& kind);
  void link_temporary();

  std::string path_;       // as the caller named it, for messages
  std::string target_;     // what is to be replaced, links followed
  std::string temporary_;  // its name beside the target; empty while it has none
  int descriptor_ = -1;
  bool is_special_ = false;
  bool is_synced_;
};

// Writes a whole file.
void write_file(const std::string& path, std::string_view contents, const NewFile& kind);

// The directory and those above it, where they are not there yet; those that are made are for their
// owner alone. Throws FileError.
void create_private_directory(const std::string& path);

// Removes what writers that were killed have left in a directory: their names say which process it
// was. Throws FileError when the directory cannot be read.
void remove_abandoned_files(const std::string& directory);

}  // namespace bunraku
