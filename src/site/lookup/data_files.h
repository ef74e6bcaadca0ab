// Data files that were read and parsed, shared by all compilations of a process.
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
  // What the file holds; undef when `error` is set.
  Value data;
  // Why it could not be read or parsed; empty when it could.
  std::string error;
  // Where in its text that is, for those who show source lines.
  std::vector<Label> error_labels;
  // Why the system could not read it, without the path; empty when it did.
  std::string system_reason;
  // For each entry of a hash: does its value hold an interpolation expression? Others are handed
  // out as they are.
  std::vector<bool> is_interpolated;
  // Has a hash below those entries a key that no value of a look-up may have (neither text nor
  // number)?
  bool has_odd_keys = false;
  LateDigest digest;  // of the bytes; empty when they could not be read
};

class DataFiles {
 public:
  // The file at `path`, as it was first seen. While reads are reported (base/system/reads.h) it is
  // read again when its size, inode or time of change differ from those that were seen: what is
  // reported must be what is there. Safe from any thread.
  std::shared_ptr<const DataFile> get(const std::string& path, DataFormat format);
  // Is there a file at `path`? What was there once is taken to be there, with the same exception.
  // Safe from any thread.
  bool exists(const std::string& path);
  // Has any file that was read, or looked for in vain, changed since? Safe from any thread.
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

// What stands for a value of a data file in tellings of reads.
std::string data_digest(Value value);

// Does a value hold "%{" in any of its strings?
bool holds_interpolation(Value value);

}  // namespace bunraku
