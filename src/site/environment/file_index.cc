// Lists the directories of a root on demand.
#include "site/environment/file_index.h"

#include <algorithm>
#include <mutex>

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
  const std::string path = join_path(root_, directory);
  auto entries = std::make_unique<Entries>();
  if (read_entries(path, *entries) != 0) return nullptr;
  if (links == Links::kSkipped) {
    std::erase_if(*entries,
                  [](const DirectoryEntry& entry) { return entry.is_directory && entry.is_link; });
  }
  return entries;
}

}  // namespace bunraku
