// Parsed data files, shared by all compilations of a process.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"
#include "values/value.h"

namespace bunraku {

enum class DataFormat : uint8_t { kYaml, kJson, kHocon };

// One file's content. Immutable.
struct DataFile {
  Arena arena;
  // The content of the file; undef when `error` is set.
  Value data;
  // The reason why it could not be read or parsed; empty on success.
  std::string error;
  // The places of that error in the file, for diagnostics that show source lines.
  std::vector<Label> error_labels;
  // The system's reason why it could not be read, without the path; empty when it was read.
  std::string system_reason;
  // For each entry of a hash: whether its value has an interpolation expression. Other values are
  // returned unchanged.
  std::vector<bool> is_interpolated;
  // Whether a hash below those entries has a key that is neither text nor number, which no value of
  // a look-up may have.
  bool has_odd_keys = false;
  LateDigest digest;  // of the bytes; empty when they could not be read
};

class DataFiles {
 public:
  // Returns the file at `path` as it was first read. While reads are observed (base/system/reads.h)
  // it is read again when its size, inode or time of change differs, because observers must be
  // notified of the current content. Safe from any thread.
  std::shared_ptr<const DataFile> get(const std::string& path, DataFormat format);
  // Returns whether there is a file at `path`. A file that existed once is assumed to exist, except
  // while reads are observed. Safe from any thread.
  bool exists(const std::string& path);
  // Returns whether any file that was read or found missing has changed since. Safe from any
  // thread.
  bool have_changed() const;

 private:
  struct Entry {
    FileStamp stamp;
    std::shared_ptr<const DataFile> file;
  };

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> files_;
  std::unordered_set<std::string> existing_;
  std::vector<std::shared_ptr<const DataFile>> outdated_;
};

// A digest of a data file's value, for observers of reads.
std::string data_digest(Value value);

// Returns whether a value has "%{" in any of its strings.
bool holds_interpolation(Value value);

}  // namespace bunraku
