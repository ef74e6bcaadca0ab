// Reports of external data that a piece of work reads, to an observer that must know when its
// result becomes invalid. The functions of file_system.h report files; code that caches file
// contents or reads other sources reports here.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace bunraku {

enum class PathTest : uint8_t { kExists, kIsFile, kIsDirectory };
enum class Listing : uint8_t { kAll, kDirectories };

// Directories that are searched in order for the first that has a file.
struct SearchedDirectories {
  std::string paths;   // each followed by a zero byte
  std::string digest;  // of the paths
};

class ReadObserver {
 public:
  virtual ~ReadObserver() = default;

  // The file's contents were used. The digest is that of the bytes, or empty when there was no
  // file.
  virtual void file(const std::string& path, std::string_view digest) = 0;
  virtual void path(const std::string& path, PathTest test, bool answer) = 0;
  // The names in a directory were read; see names_digest().
  virtual void directory(const std::string& path, Listing listing, std::string_view digest) = 0;
  // A file was searched in the directories; `directory` is the first that has it, empty when none
  // has.
  virtual void search(const SearchedDirectories& directories, std::string_view relative_path,
                      std::string_view directory) = 0;
  // The paths that match a pattern were read.
  virtual void glob(const std::string& pattern, std::string_view digest) = 0;
  // One key of a data file was read; `file_digest` is that of the file's bytes. `value_digest` is
  // called only when this was not reported yet; its result is empty when there is no such key.
  virtual void data_key(const std::string& path, std::string_view file_digest, bool is_json,
                        std::string_view key, const std::function<std::string()>& value_digest) = 0;
  // A collector searched the catalog by the query. Its result follows from the other reads, so it
  // need not be repeated.
  virtual void query(const std::string& text) = 0;
  // An input that cannot be read again: the time, randomness, a program.
  virtual void untracked(std::string_view reason) = 0;

  // The observer of this thread; null when there is none.
  static ReadObserver* current();
};

// Sets the observer of this thread during its lifetime; null for work whose reads are reported by
// the code that caches its result.
class ObservedReads {
 public:
  explicit ObservedReads(ReadObserver* observer);
  ~ObservedReads();
  ObservedReads(const ObservedReads&) = delete;
  ObservedReads& operator=(const ObservedReads&) = delete;

 private:
  ReadObserver* outer_;
};

// The digest of bytes in these reports.
std::string read_digest(std::string_view bytes);
std::string names_digest(std::span<const std::string> names);

// The digest of bytes, which must outlive it, computed on demand: most runs have no observer.
// Thread-safe. Empty until bytes are set.
class LateDigest {
 public:
  void stand_for(std::string_view bytes) {
    bytes_ = bytes;
    has_bytes_ = true;
  }
  const std::string& get() const;

 private:
  std::string_view bytes_;
  bool has_bytes_ = false;
  mutable std::once_flag is_made_;
  mutable std::string digest_;
};

// Reports the reason to the observer, if there is one.
void report_untracked(std::string_view reason);

}  // namespace bunraku
