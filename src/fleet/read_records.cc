#include "fleet/read_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/system/file_system.h"
#include "base/system/glob.h"
#include "evaluation/fact_reads.h"
#include "site/environment/files.h"
#include "site/lookup/data_files.h"

namespace bunraku {
namespace {

// The parts concatenated in a thread-local buffer.
std::string_view joined(char family, std::initializer_list<std::string_view> parts) {
  thread_local std::string text;
  text.assign(1, family);
  for (const std::string_view part : parts) text.append(part).push_back('\0');
  return text;
}

std::string dotted(std::string path) {
  std::ranges::replace(path, FactReads::kEnd, '.');
  if (!path.empty()) path.pop_back();
  return path;
}

}  // namespace

std::string read_text(const Read& read) {
  switch (read.kind) {
    case ReadKind::kFile:
      return "file " + read.subject;
    case ReadKind::kExists:
    case ReadKind::kIsFile:
    case ReadKind::kIsDirectory:
      return fmt::format("{} of {}", read.answer == "1" ? "presence" : "absence", read.subject);
    case ReadKind::kEntries:
    case ReadKind::kDirectories:
      return "names in " + read.subject;
    case ReadKind::kGlob:
      return "files that match " + read.subject;
    case ReadKind::kYamlKey:
    case ReadKind::kJsonKey:
      return fmt::format("key {} of {}", read.key, read.subject);
    case ReadKind::kFact:
      return read.subject.empty() ? "all facts" : "fact " + dotted(read.subject);
    case ReadKind::kSearch:
      return read.answer.empty() ? fmt::format("absence of {} in all modules", read.subject)
                                 : fmt::format("presence of {}/{}", read.answer, read.subject);
    case ReadKind::kQuery:
      return "query " + read.subject;
    case ReadKind::kExports:
      return fmt::format("exported resources of type {}", read.subject);
  }
  return {};
}

ReadTable::Shard& ReadTable::shard_of(std::string_view text) {
  return shards_[Hash()(text) % shards_.size()];
}

const ReadTable::Shard& ReadTable::shard_of(std::string_view text) const {
  return shards_[Hash()(text) % shards_.size()];
}

uint32_t ReadTable::number_of(ReadKind kind, std::string_view subject, std::string_view key,
                              std::string_view answer) {
  const std::string_view whole =
      joined(static_cast<char>(static_cast<size_t>(kind)), {subject, key, answer});
  Shard& shard = shard_of(whole);
  const std::lock_guard lock(shard.mutex);
  if (const auto found = shard.numbers.find(whole); found != shard.numbers.end()) {
    return found->second;
  }
  const std::lock_guard reads_lock(mutex_);
  const auto number = static_cast<uint32_t>(reads_.size());
  reads_.push_back({kind, std::string(subject), std::string(key), std::string(answer)});
  shard.numbers.emplace(whole, number);
  return number;
}

bool ReadTable::find(std::string_view name, uint32_t& number) const {
  const Shard& shard = shard_of(name);
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.numbers.find(name);
  if (found == shard.numbers.end()) return false;
  number = found->second;
  return true;
}

void ReadTable::keep(std::string_view name, uint32_t number) {
  Shard& shard = shard_of(name);
  const std::lock_guard lock(shard.mutex);
  shard.numbers.emplace(name, number);
}

// --- recording ----------------------------------------------------------------------------------

// When a file changes during a compilation, a read may have two answers. Both are recorded, so that
// the result is never valid again.
void ReadRecorder::add(ReadKind kind, std::string_view subject, std::string_view key,
                       std::string_view answer) {
  numbers_.push_back(table_.number_of(kind, subject, key, answer));
}

void ReadRecorder::file(const std::string& path, std::string_view digest) {
  add(ReadKind::kFile, path, {}, digest);
}

void ReadRecorder::path(const std::string& path, PathTest test, bool answer) {
  constexpr ReadKind kKinds[] = {ReadKind::kExists, ReadKind::kIsFile, ReadKind::kIsDirectory};
  add(kKinds[static_cast<size_t>(test)], path, {}, answer ? "1" : "0");
}

void ReadRecorder::directory(const std::string& path, Listing listing, std::string_view digest) {
  const ReadKind kind = listing == Listing::kAll ? ReadKind::kEntries : ReadKind::kDirectories;
  add(kind, path, {}, digest);
}

void ReadRecorder::search(const SearchedDirectories& directories, std::string_view relative_path,
                          std::string_view directory) {
  // The directories are many, so their digest represents them.
  uint32_t number = 0;
  if (!table_.find(joined('s', {directories.digest, relative_path, directory}), number)) {
    number = table_.number_of(ReadKind::kSearch, relative_path, directories.paths, directory);
    table_.keep(joined('s', {directories.digest, relative_path, directory}), number);
  }
  numbers_.push_back(number);
}

void ReadRecorder::glob(const std::string& pattern, std::string_view digest) {
  add(ReadKind::kGlob, pattern, {}, digest);
}

void ReadRecorder::data_key(const std::string& path, std::string_view file_digest, bool is_json,
                            std::string_view key,
                            const std::function<std::string()>& value_digest) {
  const ReadKind kind = is_json ? ReadKind::kJsonKey : ReadKind::kYamlKey;
  const char family = is_json ? 'j' : 'y';
  // The name has the file's digest instead of the answer's, so that a value is digested only once.
  uint32_t number = 0;
  if (!table_.find(joined(family, {path, key, file_digest}), number)) {
    number = table_.number_of(kind, path, key, value_digest());
    table_.keep(joined(family, {path, key, file_digest}), number);
  }
  numbers_.push_back(number);
}

void ReadRecorder::query(const std::string& text) {
  add(ReadKind::kQuery, text, {}, {});
}

void ReadRecorder::untracked(std::string_view reason) {
  if (std::ranges::find(reasons_, reason) == reasons_.end()) {
    reasons_.emplace_back(reason);
  }
}

void ReadRecorder::exports(std::string_view type, std::string_view filter,
                           std::string_view answer) {
  add(ReadKind::kExports, type, filter, answer);
}

void ReadRecorder::facts(const std::set<std::string>& paths, Value facts) {
  for (const std::string& path : paths) {
    add(ReadKind::kFact, path, {}, fact_answer(facts, path));
  }
}

std::vector<uint32_t> ReadRecorder::numbers() {
  std::ranges::sort(numbers_);
  const auto repeated = std::ranges::unique(numbers_);
  numbers_.erase(repeated.begin(), repeated.end());
  return numbers_;
}

std::string fact_answer(Value facts, const std::string& path) {
  const Value* found = path.empty() ? &facts : find_fact(facts, path);
  return found == nullptr ? std::string() : data_digest(*found);
}

// --- checking -----------------------------------------------------------------------------------

struct ReadChecker::DataKeys {
  std::shared_ptr<const DataFile> file;
};

const std::string& ReadChecker::file_digest(const std::string& path) {
  const auto [found, is_new] = files_.try_emplace(path);
  if (is_new) {
    try {
      found->second = read_digest(read_file(path));
    } catch (const FileError&) {
      // An empty digest: the file cannot be read.
    }
  }
  return found->second;
}

std::string ReadChecker::key_digest(const std::string& path, bool is_json, const std::string& key) {
  std::shared_ptr<DataKeys>& known = data_[path + (is_json ? "j" : "y")];
  if (known == nullptr) {
    known = std::make_shared<DataKeys>();
    DataFiles files;
    known->file = files.get(path, is_json ? DataFormat::kJson : DataFormat::kYaml);
  }
  const Value data = known->file->data;
  // Data that are no longer a hash have no keys; no digest equals this text.
  if (!data.is_hash()) return "no hash";
  const Value* found = data.as_hash().find(key);
  return found == nullptr ? std::string() : data_digest(*found);
}

// The first of the directories that has the file; empty when none has.
static std::string_view first_directory(std::string_view directories,
                                        std::string_view relative_path) {
  while (!directories.empty()) {
    const size_t end = std::min(directories.find('\0'), directories.size());
    const std::string_view directory = directories.substr(0, end);
    if (is_file(join_path(directory, relative_path))) return directory;
    directories.remove_prefix(std::min(end + 1, directories.size()));
  }
  return {};
}

bool ReadChecker::holds(const Read& read) {
  switch (read.kind) {
    case ReadKind::kFile:
      return file_digest(read.subject) == read.answer;
    case ReadKind::kExists:
      return exists(read.subject) == (read.answer == "1");
    case ReadKind::kIsFile:
      return is_file(read.subject) == (read.answer == "1");
    case ReadKind::kIsDirectory:
      return is_directory(read.subject) == (read.answer == "1");
    case ReadKind::kEntries:
      try {
        return entries_digest(list_directory(read.subject)) == read.answer;
      } catch (const FileError&) {
        return read.answer.empty();
      }
    case ReadKind::kDirectories:
      return names_digest(list_directories(read.subject)) == read.answer;
    case ReadKind::kGlob:
      return names_digest(expand_glob(read.subject)) == read.answer;
    case ReadKind::kYamlKey:
      return key_digest(read.subject, false, read.key) == read.answer;
    case ReadKind::kJsonKey:
      return key_digest(read.subject, true, read.key) == read.answer;
    case ReadKind::kFact:
    case ReadKind::kExports:
      return false;  // depends on a node: see NodeCache
    case ReadKind::kSearch:
      return first_directory(read.key, read.subject) == read.answer;
    case ReadKind::kQuery:
      return true;
  }
  return false;
}

}  // namespace bunraku
