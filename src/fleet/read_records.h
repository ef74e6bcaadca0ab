// Records of what compilations read, by which a later run finds answers that are still valid.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/system/reads.h"
#include "values/value.h"

namespace bunraku {

enum class ReadKind : uint8_t {
  kFile,    // the contents of a file
  kExists,  // whether a path exists
  kIsFile,
  kIsDirectory,
  kEntries,      // the names in a directory
  kDirectories,  // the names of directories in a directory
  kGlob,         // the paths that match a pattern
  kYamlKey,      // one key of a data file
  kJsonKey,
  kFact,     // a path in the node's facts
  kSearch,   // the first of several directories that has a file
  kQuery,    // the query of a collector
  kExports,  // the exported resources that a collector found
};
constexpr size_t kReadKinds = 13;

struct Read {
  ReadKind kind;
  std::string subject;  // a path, a pattern, or a path in the facts
  std::string key;  // the key in a data file; for a search the directories, see SearchedDirectories
  std::string answer;  // a digest, "1" or "0", a directory; empty: nothing was found
  friend bool operator==(const Read&, const Read&) = default;
};

// "file /x/y.pp", "key ntp::servers of common.yaml", "fact os.family"
std::string read_text(const Read& read);

// Numbers the different reads of a run. Safe from any thread.
class ReadTable {
 public:
  uint32_t number_of(ReadKind kind, std::string_view subject, std::string_view key,
                     std::string_view answer);
  // Numbers stored under a name that is cheaper to make than the whole read.
  bool find(std::string_view name, uint32_t& number) const;
  void keep(std::string_view name, uint32_t number);
  // Not safe while others add reads.
  const std::vector<Read>& reads() const { return reads_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // Several shards, so that threads rarely block each other.
  struct Shard {
    mutable std::mutex mutex;
    std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> numbers;
  };
  Shard& shard_of(std::string_view text);
  const Shard& shard_of(std::string_view text) const;

  std::array<Shard, 32> shards_;
  std::mutex mutex_;
  std::vector<Read> reads_;
};

// Records the reads of one compilation.
class ReadRecorder final : public ReadObserver {
 public:
  explicit ReadRecorder(ReadTable& table) : table_(table) {}

  void file(const std::string& path, std::string_view digest) override;
  void path(const std::string& path, PathTest test, bool answer) override;
  void directory(const std::string& path, Listing listing, std::string_view digest) override;
  void search(const SearchedDirectories& directories, std::string_view relative_path,
              std::string_view directory) override;
  void glob(const std::string& pattern, std::string_view digest) override;
  void data_key(const std::string& path, std::string_view file_digest, bool is_json,
                std::string_view key, const std::function<std::string()>& value_digest) override;
  void query(const std::string& text) override;
  void untracked(std::string_view reason) override;
  // Records the exports of other nodes that match a type and filter, with a digest of the result.
  void exports(std::string_view type, std::string_view filter, std::string_view answer);
  // Records paths in the form of FactReads, with their values in the node's facts.
  void facts(const std::set<std::string>& paths, Value facts);

  // Sorted, without duplicates.
  std::vector<uint32_t> numbers();
  // The reasons why the answer must not be cached; empty when it may be.
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  void add(ReadKind kind, std::string_view subject, std::string_view key, std::string_view answer);

  ReadTable& table_;
  std::vector<uint32_t> numbers_;  // in the order of reports
  std::vector<std::string> reasons_;
};

// The value at a path of the facts in the form of read records; empty when there is none.
std::string fact_answer(Value facts, const std::string& path);

// Checks whether reads still have their answers. Each file is read only once.
class ReadChecker {
 public:
  bool holds(const Read& read);
  // The digest of a file's contents; empty when it cannot be read.
  const std::string& file_digest(const std::string& path);

 private:
  struct DataKeys;
  std::string key_digest(const std::string& path, bool is_json, const std::string& key);

  std::unordered_map<std::string, std::string> files_;
  std::unordered_map<std::string, std::shared_ptr<DataKeys>> data_;
};

}  // namespace bunraku
