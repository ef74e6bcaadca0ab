// What compilations read, kept so that a later run can say which of their answers still hold.
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
  kFile,    // its bytes
  kExists,  // whether there is something at a path
  kIsFile,
  kIsDirectory,
  kEntries,      // the names in a directory
  kDirectories,  // those of directories alone
  kGlob,         // the paths that match a pattern
  kYamlKey,      // one key of a data file
  kJsonKey,
  kFact,     // a path into the node's facts
  kSearch,   // which of several directories is the first that has a file
  kQuery,    // of a collector
  kExports,  // what a collector found of other nodes' exports
};
constexpr size_t kReadKinds = 13;

struct Read {
  ReadKind kind;
  std::string subject;  // a path, a pattern, or a path into the facts
  std::string key;      // of a data file; of a search the directories, see SearchedDirectories
  std::string answer;   // a digest, "1" or "0", a directory; empty: there was nothing
  friend bool operator==(const Read&, const Read&) = default;
};

// "file /x/y.pp", "key ntp::servers of common.yaml", "fact os.family"
std::string read_text(const Read& read);

// Each different read of a run has a number. Safe from any thread.
class ReadTable {
 public:
  uint32_t number_of(ReadKind kind, std::string_view subject, std::string_view key,
                     std::string_view answer);
  // Numbers kept under a name that costs less to make than the whole of the read.
  bool find(std::string_view name, uint32_t& number) const;
  void keep(std::string_view name, uint32_t number);
  // Not while others add.
  const std::vector<Read>& reads() const { return reads_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // Several, so that threads seldom meet.
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

// Takes down what one compilation reads.
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
  // What other nodes export of a type, and fits a filter; a digest of what was found.
  void exports(std::string_view type, std::string_view filter, std::string_view answer);
  // Paths as FactReads has them, with what the node's facts answer.
  void facts(const std::set<std::string>& paths, Value facts);

  // Sorted, each once.
  std::vector<uint32_t> numbers();
  // Why the answer must not be kept; empty when it may.
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  void add(ReadKind kind, std::string_view subject, std::string_view key, std::string_view answer);

  ReadTable& table_;
  std::vector<uint32_t> numbers_;  // as they were reported
  std::vector<std::string> reasons_;
};

// What the facts answer to a path, as read records have it; empty when nothing is there.
std::string fact_answer(Value facts, const std::string& path);

// Looks at files again, each once, and says whether reads still get the answers that they got.
class ReadChecker {
 public:
  bool holds(const Read& read);
  // The digest of the file's bytes, empty when it cannot be read.
  const std::string& file_digest(const std::string& path);

 private:
  struct DataKeys;
  std::string key_digest(const std::string& path, bool is_json, const std::string& key);

  std::unordered_map<std::string, std::string> files_;
  std::unordered_map<std::string, std::shared_ptr<DataKeys>> data_;
};

}  // namespace bunraku
