#include "fleet/read_records.h"

#include <fmt/format.h>

#include <algorithm>

#include "environment/files.h"
#include "evaluation/fact_reads.h"
#include "lookup/data_files.h"
#include "support/file_system.h"

namespace bunraku {
namespace {

std::string composite(ReadKind kind, std::string_view subject, std::string_view key,
                      std::string_view answer) {
  std::string text;
  text.reserve(subject.size() + key.size() + answer.size() + 3);
  text.push_back(static_cast<char>(kind));
  text.append(subject).push_back('\0');
  text.append(key).push_back('\0');
  return text.append(answer);
}

std::string dotted(std::string path) {
  std::replace(path.begin(), path.end(), FactReads::kEnd, '.');
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
    case ReadKind::kIsFolder:
      return fmt::format("{} of {}", read.answer == "1" ? "presence" : "absence", read.subject);
    case ReadKind::kEntries:
    case ReadKind::kFolders:
      return "names in " + read.subject;
    case ReadKind::kGlob:
      return "files that match " + read.subject;
    case ReadKind::kYamlKey:
    case ReadKind::kJsonKey:
      return fmt::format("key {} of {}", read.key, read.subject);
    case ReadKind::kFact:
      return read.subject.empty() ? "all facts" : "fact " + dotted(read.subject);
  }
  return {};
}

uint32_t ReadTable::number_of(Read read) {
  std::string key = composite(read.kind, read.subject, read.key, read.answer);
  std::lock_guard lock(mutex_);
  const auto [found, is_new] =
      numbers_.try_emplace(std::move(key), static_cast<uint32_t>(reads_.size()));
  if (is_new) reads_.push_back(std::move(read));
  return found->second;
}

bool ReadTable::find_key(std::string_view path, std::string_view file_digest, std::string_view key,
                         uint32_t& number) const {
  std::lock_guard lock(mutex_);
  const auto found = keys_.find(composite(ReadKind::kYamlKey, path, key, file_digest));
  if (found == keys_.end()) return false;
  number = found->second;
  return true;
}

void ReadTable::keep_key(std::string_view path, std::string_view file_digest, std::string_view key,
                         uint32_t number) {
  std::lock_guard lock(mutex_);
  keys_[composite(ReadKind::kYamlKey, path, key, file_digest)] = number;
}

// --- recording ----------------------------------------------------------------------------------

void ReadRecorder::add(Read read) {
  // A compilation may be given two answers when a file changes under it; both are kept, so that it
  // never holds again.
  if (!told_.insert(composite(read.kind, read.subject, read.key, read.answer)).second) return;
  numbers_.push_back(table_.number_of(std::move(read)));
}

void ReadRecorder::file(const std::string& path, std::string_view digest) {
  add({ReadKind::kFile, path, {}, std::string(digest)});
}

void ReadRecorder::path(const std::string& path, PathTest test, bool answer) {
  constexpr ReadKind kKinds[] = {ReadKind::kExists, ReadKind::kIsFile, ReadKind::kIsFolder};
  add({kKinds[static_cast<size_t>(test)], path, {}, answer ? "1" : "0"});
}

void ReadRecorder::folder(const std::string& path, Listing listing, std::string_view digest) {
  const ReadKind kind = listing == Listing::kAll ? ReadKind::kEntries : ReadKind::kFolders;
  add({kind, path, {}, std::string(digest)});
}

void ReadRecorder::glob(const std::string& pattern, std::string_view digest) {
  add({ReadKind::kGlob, pattern, {}, std::string(digest)});
}

void ReadRecorder::data_key(const std::string& path, std::string_view file_digest, bool is_json,
                            std::string_view key,
                            const std::function<std::string()>& value_digest) {
  const ReadKind kind = is_json ? ReadKind::kJsonKey : ReadKind::kYamlKey;
  // The file's digest in place of the answer's: what is told again is not looked at again.
  if (!told_.insert(composite(kind, path, key, file_digest)).second) return;
  uint32_t number = 0;
  if (!table_.find_key(path, file_digest, key, number)) {
    number = table_.number_of({kind, path, std::string(key), value_digest()});
    table_.keep_key(path, file_digest, key, number);
  }
  numbers_.push_back(number);
}

void ReadRecorder::untracked(std::string_view reason) {
  if (std::find(reasons_.begin(), reasons_.end(), reason) == reasons_.end()) {
    reasons_.emplace_back(reason);
  }
}

void ReadRecorder::facts(const std::set<std::string>& paths, Value facts) {
  for (const std::string& path : paths) {
    add({ReadKind::kFact, path, {}, fact_answer(facts, path)});
  }
}

std::vector<uint32_t> ReadRecorder::numbers() {
  std::sort(numbers_.begin(), numbers_.end());
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
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
      // Empty: there is nothing to read.
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
  // What is no hash any more answers no key; no digest looks like this.
  if (!data.is_hash()) return "no hash";
  const Value* found = data.as_hash().find(key);
  return found == nullptr ? std::string() : data_digest(*found);
}

bool ReadChecker::holds(const Read& read) {
  switch (read.kind) {
    case ReadKind::kFile:
      return file_digest(read.subject) == read.answer;
    case ReadKind::kExists:
      return exists(read.subject) == (read.answer == "1");
    case ReadKind::kIsFile:
      return is_file(read.subject) == (read.answer == "1");
    case ReadKind::kIsFolder:
      return is_directory(read.subject) == (read.answer == "1");
    case ReadKind::kEntries:
      try {
        return entries_digest(list_directory(read.subject)) == read.answer;
      } catch (const FileError&) {
        return read.answer.empty();
      }
    case ReadKind::kFolders:
      return names_digest(list_folders(read.subject)) == read.answer;
    case ReadKind::kGlob:
      return names_digest(expand_glob(read.subject)) == read.answer;
    case ReadKind::kYamlKey:
      return key_digest(read.subject, false, read.key) == read.answer;
    case ReadKind::kJsonKey:
      return key_digest(read.subject, true, read.key) == read.answer;
    case ReadKind::kFact:
      return false;  // of a node: see NodeCache
  }
  return false;
}

}  // namespace bunraku
