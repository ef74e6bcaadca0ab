// Data files that were read and parsed, shared by all compilations of a process.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "pcore/value.h"
#include "support/arena.h"

namespace bunraku {

enum class DataFormat : uint8_t { kYaml, kJson };

// One file's content. Immutable.
struct DataFile {
  Arena arena;
  // What the file holds; undef when `error` is set.
  Value data;
  // Why it could not be read or parsed; empty when it could.
  std::string error;
  // For each entry of a hash: does its value hold an interpolation expression? Others are handed
  // out as they are.
  std::vector<bool> is_interpolated;
};

class DataFiles {
 public:
  // The file at `path`, read again when its size, inode or time of change differ from those that
  // were seen. Safe from any thread.
  std::shared_ptr<const DataFile> get(const std::string& path, DataFormat format);

 private:
  struct Stamp {
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
    uint64_t inode = 0;
    int64_t size = -1;
    bool operator==(const Stamp&) const = default;
  };
  struct Entry {
    Stamp stamp;
    std::shared_ptr<const DataFile> file;
  };
  static Stamp stamp_of(const std::string& path);

  std::mutex mutex_;
  std::unordered_map<std::string, Entry> files_;
};

// Does a value hold "%{" in any of its strings?
bool holds_interpolation(Value value);

}  // namespace bunraku
