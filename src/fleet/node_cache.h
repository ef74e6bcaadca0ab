// A cache of answers (catalogs and warnings) of earlier runs, with the reads that each depends on.
// An answer is valid while every read would have the same result.
//
// A directory has `index` (the reads, and the nodes that made them), `catalogs/NODE.json`, and
// `lock`, which the one run that uses the directory holds. A cache decides on catalogs and holds
// secrets, so its files are writable by their owner only, and are read only when no other user can
// have written them.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/system/file_lock.h"
#include "base/system/file_system.h"
#include "base/text/text_hash.h"
#include "fleet/node_list.h"
#include "fleet/outcome.h"
#include "fleet/read_records.h"

namespace bunraku {

// The stamp of a file's contents; it is safe when a later change cannot have the same stamp.
struct CachedStamp {
  FileStamp stamp;
  bool is_safe = false;
};
// Must be called before the file is read.
CachedStamp cached_stamp(const std::string& path);

struct CachedNode {
  std::string name;
  std::string facts_path;
  CachedStamp facts_stamp;
  std::vector<uint32_t> reads;  // indices into the table, sorted
  size_t resources = 0;
  std::vector<NodeProblem> problems;  // warnings
  std::string catalog_digest;
  std::string exports;  // the node's exported resources as JSON; empty: none
};

enum class CacheUse : uint8_t {
  kRead,
  kWrite  // creates the directory and takes its lock
};

class NodeCache {
 public:
  // Reads the cache in the directory. `key` identifies the program and its settings. Throws
  // FileError when the directory cannot be created, another run holds its lock, or others can write
  // its index.
  NodeCache(std::string directory, std::string key, CacheUse use);

  ReadTable& table() { return table_; }
  const ReadTable& table() const { return table_; }
  const std::unordered_map<std::string, CachedNode, TextHash>& nodes() const { return nodes_; }
  // Whether the cache was written by this program with the same settings.
  bool is_usable() const { return is_usable_; }

  // Checks all reads, for find(), and drops entries that another program made or this one with
  // other settings.
  void check();
  // Returns the node's answer if it is still valid, except for the results of its collectors
  // (ReadKind::kExports), which the caller has to compare. The node's facts are read only if their
  // file has changed. Safe from any thread.
  std::optional<CachedNode> find(const FleetNode& node) const;
  // The results of the answer's collectors when it was made. Safe from any thread.
  std::vector<Read> exports_read(const CachedNode& node) const;
  // The catalog of an answer; no value when its file is missing or has changed.
  std::optional<std::string> catalog(const CachedNode& node) const;

  // Stores an answer. Safe from any thread. Throws FileError.
  void keep(CachedNode node, const std::string& catalog);
  // Writes the index with all nodes except those with reads that have changed meanwhile. Returns
  // the changed paths. Throws FileError.
  std::vector<std::string> save();

 private:
  using Stamps = std::unordered_map<std::string, CachedStamp>;

  void take(const std::string& catalogs);
  std::string catalog_path(const std::string& node) const;
  void load(std::string_view text);
  bool facts_hold(const CachedNode& known, const FleetNode& node) const;
  bool is_untouched(const std::string& path, const FileStamp& now) const;
  std::vector<bool> used_reads() const;
  std::set<std::string> forget_changed(Stamps& stamps);
  void write_index(const Stamps& stamps) const;

  std::string directory_;
  std::string key_;
  std::optional<FileLock> lock_;
  bool is_usable_ = false;
  ReadTable table_;
  Stamps stamps_;            // the stamps of files that were read
  std::vector<bool> holds_;  // whether each read still has its answer
  // Reads in the index that depend on a node or the run and not on the disk; a copy, because the
  // table grows meanwhile.
  std::unordered_map<uint32_t, Read> of_node_;
  std::unordered_map<std::string, CachedNode, TextHash> nodes_;
  std::mutex mutex_;
  std::vector<CachedNode> kept_;
  mutable Stamps fresh_stamps_;
  mutable std::mutex stamp_mutex_;
};

}  // namespace bunraku
