// What a piece of work reads from outside of itself, reported while it goes on to an observer that
// has to know when its result no longer holds. Files report themselves (see file_system.h); what
// keeps the contents of files, and what looks elsewhere, reports here.
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

// Directories that are looked through in their order for the first that has something.
struct SearchedDirectories {
  std::string paths;   // each ends with a zero byte
  std::string digest;  // of the paths
};

class ReadObserver {
 public:
  virtual ~ReadObserver() = default;

  // The file's contents were used. The digest is that of the bytes, or empty when there was no
  // file to read.
  virtual void file(const std::string& path, std::string_view digest) = 0;
  virtual void path(const std::string& path, PathTest test, bool answer) = 0;
  // The names in a directory; see names_digest().
  virtual void directory(const std::string& path, Listing listing, std::string_view digest) = 0;
  // A file was looked for in the directories; `directory` is the first that has it, empty when none
  // does.
  virtual void search(const SearchedDirectories& directories, std::string_view relative_path,
                      std::string_view directory) = 0;
  // The paths that match a pattern.
  virtual void glob(const std::string& pattern, std::string_view digest) = 0;
  // One key of a data file whose bytes have the digest. `value_digest` is asked for only when this
  // has not been reported yet; it is empty when there is no such key.
  virtual void data_key(const std::string& path, std::string_view file_digest, bool is_json,
                        std::string_view key, const std::function<std::string()>& value_digest) = 0;
  // A collector looked through the catalog for what fits the query. What it found follows from all
  // the rest, so that no second look is needed.
  virtual void query(const std::string& text) = 0;
  // Something that cannot be looked at again: the time, chance, a program.
  virtual void untracked(std::string_view reason) = 0;

  // That of this thread; null when there is no observer.
  static ReadObserver* current();
};

// Makes an observer that of this thread while it stands; null for work whose reads are reported by
// those who keep its result.
class ObservedReads {
 public:
  explicit ObservedReads(ReadObserver* observer);
  ~ObservedReads();
  ObservedReads(const ObservedReads&) = delete;
  ObservedReads& operator=(const ObservedReads&) = delete;

 private:
  ReadObserver* outer_;
};

// What stands for bytes in these tellings.
std::string read_digest(std::string_view bytes);
std::string names_digest(std::span<const std::string> names);

// The digest of bytes that outlive it, made when it is first asked for: most runs have no observer
// what they read. Several threads may ask at once. Empty until bytes are given.
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

// Notifies the observer of the reason, where there is one.
void report_untracked(std::string_view reason);

}  // namespace bunraku
