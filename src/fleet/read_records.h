// What compilations read, kept so that a later run can tell which of their answers still hold.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "pcore/value.h"
#include "support/reads.h"

namespace bunraku {

enum class ReadKind : uint8_t {
  kFile,    // its bytes
  kExists,  // whether there is something at a path
  kIsFile,
  kIsFolder,
  kEntries,  // the names in a folder
  kFolders,  // those of folders alone
  kGlob,     // the paths that match a pattern
  kYamlKey,  // one key of a data file
  kJsonKey,
  kFact,  // a path into the node's facts
};

struct Read {
  ReadKind kind;
  std::string subject;  // a path, a pattern, or a path into the facts
  std::string key;      // of a data file
  std::string answer;   // a digest, "1" or "0"; empty: there was nothing
  friend bool operator==(const Read&, const Read&) = default;
};

// "file /x/y.pp", "key ntp::servers of common.yaml", "fact os.family"
std::string read_text(const Read& read);

// Each different read of a run has a number. Safe from any thread.
class ReadTable {
 public:
  uint32_t number_of(Read read);
  // Of a data file's key, without its answer, where another compilation has read it already.
  bool find_key(std::string_view path, std::string_view file_digest, std::string_view key,
                uint32_t& number) const;
  void keep_key(std::string_view path, std::string_view file_digest, std::string_view key,
                uint32_t number);
  // Not while others add.
  const std::vector<Read>& reads() const { return reads_; }

 private:
  mutable std::mutex mutex_;
  std::vector<Read> reads_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::unordered_map<std::string, uint32_t> keys_;
};

// Takes down what one compilation reads.
class ReadRecorder final : public ReadObserver {
 public:
  explicit ReadRecorder(ReadTable& table) : table_(table) {}

  void file(const std::string& path, std::string_view digest) override;
  void path(const std::string& path, PathTest test, bool answer) override;
  void folder(const std::string& path, Listing listing, std::string_view digest) override;
  void glob(const std::string& pattern, std::string_view digest) override;
  void data_key(const std::string& path, std::string_view file_digest, bool is_json,
                std::string_view key, const std::function<std::string()>& value_digest) override;
  void untracked(std::string_view reason) override;
  // Paths as FactReads has them, with what the node's facts answer.
  void facts(const std::set<std::string>& paths, Value facts);

  // Sorted, each once.
  std::vector<uint32_t> numbers();
  // Why the answer must not be kept; empty when it may.
  const std::vector<std::string>& reasons() const { return reasons_; }

 private:
  void add(Read read);

  ReadTable& table_;
  std::unordered_set<std::string> told_;
  std::vector<uint32_t> numbers_;
  std::vector<std::string> reasons_;
};

// What the facts answer to a path, as read records have it; empty when nothing is there.
std::string fact_answer(Value facts, const std::string& path);

// Looks at files again, each once, and tells whether reads still get the answers that they got.
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
