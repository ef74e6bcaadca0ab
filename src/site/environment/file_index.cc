// Lists the directories of a root on demand.
#include "site/environment/file_index.h"

#include <algorithm>
#include <cerrno>
#include <mutex>

#include "base/system/file_overlay.h"
#include "base/system/file_reader.h"
#include "base/system/file_system.h"
#include "base/system/reads.h"

namespace bunraku {
namespace {

constexpr ptrdiff_t kMaximumDepth = 64;

struct SplitPath {
  std::string_view directory, name;
};

SplitPath split(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

// Entries as a kept text: names with a slash after each, and one more after a directory's.
std::string text_of(const std::vector<DirectoryEntry>& entries) {
  std::string text;
  for (const DirectoryEntry& entry : entries) {
    text.append(entry.name).append(entry.is_directory ? "//" : "/");
  }
  return text;
}

std::vector<DirectoryEntry> entries_from(std::string_view text) {
  std::vector<DirectoryEntry> entries;
  for (size_t slash; (slash = text.find('/')) != text.npos;) {
    DirectoryEntry& entry = entries.emplace_back(std::string(text.substr(0, slash)), false);
    text.remove_prefix(slash + 1);
    entry.is_directory = text.starts_with('/');
    if (entry.is_directory) text.remove_prefix(1);
  }
  return entries;
}

// Returns whether such a text has the name.
bool lists(std::string_view text, std::string_view name) {
  for (size_t at = 0; (at = text.find(name, at)) != text.npos; ++at) {
    const size_t end = at + name.size();
    if ((at == 0 || text[at - 1] == '/') && end < text.size() && text[end] == '/') return true;
  }
  return false;
}

}  // namespace

bool FileIndex::has_file(std::string_view relative_path) const {
  const auto [directory, name] = split(relative_path);
  const Entries* entries = entries_of(directory);
  if (entries == nullptr) return false;
  const DirectoryEntry* found = find(*entries, name);
  return found != nullptr && !found->is_directory;
}

bool FileIndex::has_directory(std::string_view relative_path) const {
  return entries_of(relative_path) != nullptr;
}

const DirectoryEntry* FileIndex::find(const Entries& entries, std::string_view name) {
  const auto found = std::ranges::lower_bound(
      entries, name, {}, [](const DirectoryEntry& entry) { return std::string_view(entry.name); });
  return found != entries.end() && found->name == name ? &*found : nullptr;
}

const FileIndex::Entries* FileIndex::entries_of(std::string_view directory) const {
  if (root_.empty()) return nullptr;
  {
    const std::shared_lock lock(mutex_);
    const auto found = directories_.find(directory);
    if (found != directories_.end()) return found->second.get();
  }
  std::unique_ptr<const Entries> listed;
  if (const IndexedDirectory* top = top_of(directory)) {
    if (directory == top->path || is_listed(directory)) listed = list(directory, top->links);
  }
  const std::unique_lock lock(mutex_);
  return directories_.try_emplace(std::string(directory), std::move(listed)).first->second.get();
}

bool FileIndex::is_listed(std::string_view directory) const {
  if (std::ranges::count(directory, '/') > kMaximumDepth) return false;
  const auto [above, name] = split(directory);
  const Entries* entries = entries_of(above);
  if (entries == nullptr) return false;
  const DirectoryEntry* found = find(*entries, name);
  return found != nullptr && found->is_directory;
}

const IndexedDirectory* FileIndex::top_of(std::string_view directory) const {
  const auto found = std::ranges::find_if(tops_, [&](const IndexedDirectory& top) {
    return directory == top.path || is_path_below(directory, top.path);
  });
  return found == tops_.end() ? nullptr : &*found;
}

std::unique_ptr<const FileIndex::Entries> FileIndex::list(std::string_view directory,
                                                          Links links) const {
  const ObservedReads unobserved(nullptr);
  if (is_missed_above(directory)) return nullptr;
  auto entries = std::make_unique<Entries>();
  if (read(directory, *entries) != 0) return nullptr;
  if (links == Links::kSkipped) {
    std::erase_if(*entries,
                  [](const DirectoryEntry& entry) { return entry.is_directory && entry.is_link; });
  }
  return entries;
}

bool FileIndex::is_missed_above(std::string_view directory) const {
  if (texts_ == nullptr) return false;
  // The directory "lib" of nearly all modules has a "puppet", so this begins with "lib/puppet".
  size_t end = directory.find('/');
  while (end != directory.npos) {
    end = directory.find('/', end + 1);
    if (end == directory.npos) return false;
    const std::string_view rest = directory.substr(end + 1);
    const std::string_view name = rest.substr(0, rest.find('/'));
    if (const auto known = text_for(join_path(root_, directory.substr(0, end)))) {
      if (!known->exists || !lists(known->text, name)) return true;
      continue;
    }
    Entries entries;
    const int error = read(directory.substr(0, end), entries);
    if (error == ENOENT || error == ENOTDIR) return true;
    if (error == 0 && find(entries, name) == nullptr) return true;
  }
  return false;
}

bool FileIndex::may_use_texts() const {
  return texts_ != nullptr && FileOverlay::current() == nullptr;
}

std::optional<KeptTexts::Text> FileIndex::text_for(const std::string& path) const {
  if (!may_use_texts()) return std::nullopt;
  return texts_->find(path);
}

int FileIndex::read(std::string_view directory, Entries& entries) const {
  const std::string path = join_path(root_, directory);
  if (const auto known = text_for(path)) {
    if (!known->exists) return ENOENT;
    entries = entries_from(known->text);
    return 0;
  }
  const bool keeps = may_use_texts();
  const FileStamp stamp = keeps ? file_stamp(path) : FileStamp();
  const int error = read_entries(path, entries);
  // A link may lead elsewhere later, although the directory is unchanged.
  if (keeps && (error == 0) == (stamp != FileStamp()) &&
      std::ranges::none_of(entries, &DirectoryEntry::is_link)) {
    texts_->keep(path, stamp, text_of(entries));
  }
  return error;
}

}  // namespace bunraku
