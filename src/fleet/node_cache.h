// Answers of earlier runs, each with what it was made from: one holds for as long as everything
// that its compilation read would be read the same again.
//
// A directory holds `index` (what was read, by which nodes), `catalogs/NODE.json`, and `lock`,
// which the one run that uses it holds. A cache decides on catalogs and holds secrets: its files
// are written for their owner alone, and read only when no other user can have written them.
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

// When a file had its contents; safe says that no later change can look the same.
struct CachedStamp {
  FileStamp stamp;
  bool is_safe = false;
};
// To be taken before the file is read.
CachedStamp cached_stamp(const std::string& path);

struct CachedNode {
  std::string name;
  std::string facts_path;
  CachedStamp facts_stamp;
  std::vector<uint32_t> reads;  // numbers in the table, sorted
  size_t resources = 0;
  std::vector<NodeProblem> problems;  // warnings
  std::string catalog_digest;
  std::string exports;  // what the node exports to others, as JSON; empty: nothing
};

enum class CacheUse : uint8_t {
  kRead,
  kWrite  // makes the directory, and takes its lock
};

class NodeCache {
 public:
  // Reads what the directory has. `key` stands for the program and its settings. Throws FileError:
  // the directory cannot be made, another run has its lock, or others can write its index.
  NodeCache(std::string directory, std::string key, CacheUse use);

  ReadTable& table() { return table_; }
  const ReadTable& table() const { return table_; }
  const std::unordered_map<std::string, CachedNode, TextHash>& nodes() const { return nodes_; }
  // What is there was made by this program with the same settings.
  bool is_usable() const { return is_usable_; }

  // Looks at everything that was read, for find(), and forgets what another program made or this
  // one with other settings.
  void check();
  // The node's answer when it still holds, but for what its collectors found (ReadKind::kExports),
  // which is the caller's to compare. Its facts are looked at only where their file has changed.
  // Safe from any thread.
  std::optional<CachedNode> find(const FleetNode& node) const;
  // What the answer's collectors found of other nodes' exports when it was made. Safe from any
  // thread.
  std::vector<Read> exports_read(const CachedNode& node) const;
  // The catalog of an answer; nothing when it is not there as it was.
  std::optional<std::string> catalog(const CachedNode& node) const;

  // Keeps an answer. Safe from any thread. Throws FileError.
  void keep(CachedNode node, const std::string& catalog);
  // Writes the index with all nodes, but for those that read what has changed meanwhile; gives the
  // paths of what changed. Throws FileError.
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
  Stamps stamps_;            // of files that were read
  std::vector<bool> holds_;  // by read
  // Entries of the index that ask a node or its run, and not the disk; the table grows meanwhile.
  std::unordered_map<uint32_t, Read> of_node_;
  std::unordered_map<std::string, CachedNode, TextHash> nodes_;
  std::mutex mutex_;
  std::vector<CachedNode> kept_;
  mutable Stamps fresh_stamps_;
  mutable std::mutex stamp_mutex_;
};

}  // namespace bunraku
