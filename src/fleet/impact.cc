#include "fleet/impact.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/system/file_system.h"
#include "base/system/glob.h"
#include "site/environment/files.h"

namespace bunraku {
namespace {

// Returns whether a file at `path` can change the names in a directory: also when it is deeper,
// because directories above it may be created or disappear with it.
bool can_change_names(const std::string& directory, const std::string& path, bool is_directories) {
  if (!is_path_below(path, directory)) return false;
  const std::string child = path.substr(0, path.find('/', directory.size() + 1));
  if (child == path) return !is_directories || !is_file(path);
  return list_files_below(child).size() <= 1;
}

// Returns whether the file at `path`, when it is added, changed or removed, can change the read's
// answer.
bool can_reach(const Read& read, const std::string& path) {
  const std::string& subject = read.subject;
  switch (read.kind) {
    case ReadKind::kFile:
    case ReadKind::kYamlKey:
    case ReadKind::kJsonKey:
      return subject == path;
    case ReadKind::kExists:
    case ReadKind::kIsFile:
    case ReadKind::kIsDirectory:
      // A file in a missing directory creates the directory as well.
      return subject == path || (read.answer != "1" && is_path_below(path, subject));
    case ReadKind::kEntries:
    case ReadKind::kDirectories:
      return can_change_names(subject, path, read.kind == ReadKind::kDirectories);
    case ReadKind::kGlob:
      return may_match_glob(subject, path);
    case ReadKind::kFact:
    case ReadKind::kSearch:
    case ReadKind::kQuery:
    case ReadKind::kExports:
      return false;
  }
  return false;
}

// The real path. Reads may have paths through links, and users may name either form.
std::string resolved(const std::string& path) {
  const std::string directory(parent_directory(path));
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(directory.c_str(), nullptr),
                                                    std::free);
  return real == nullptr ? path : join_path(real.get(), file_name_of(path));
}

// Returns whether the file is one of those that the search tried.
bool can_reach_search(const Read& read, const std::string& path, const std::string& real_path) {
  if (!path.ends_with(read.subject)) return false;
  std::string_view directories = read.key;
  for (; !directories.empty(); directories.remove_prefix(directories.find('\0') + 1)) {
    const std::string_view directory = directories.substr(0, directories.find('\0'));
    const std::string candidate = join_path(directory, read.subject);
    if (candidate == path || resolved(candidate) == real_path) return true;
    if (directory == read.answer) return false;
  }
  return false;
}

}  // namespace

FileImpact impact_of(const NodeCache& cache, const std::string& path, bool is_changed_only) {
  FileImpact impact;
  impact.path = path;
  const std::vector<Read>& reads = cache.table().reads();
  const std::string real_path = resolved(path);
  ReadChecker checker;
  std::vector<bool> is_reached(reads.size(), false);
  for (size_t i = 0; i < reads.size(); ++i) {
    Read read = reads[i];
    if (read.kind == ReadKind::kFact) continue;
    bool reaches = read.kind == ReadKind::kSearch ? can_reach_search(read, path, real_path)
                                                  : can_reach(read, path);
    if (!reaches && read.kind != ReadKind::kGlob && read.kind != ReadKind::kSearch) {
      read.subject = resolved(read.subject);
      reaches = can_reach(read, real_path);
    }
    is_reached[i] = reaches && (!is_changed_only || !checker.holds(reads[i]));
  }
  for (const auto& [name, node] : cache.nodes()) {
    if (absolute_path(node.facts_path) == path) {
      impact.nodes.insert(name);
      impact.by_read["the node's facts"].push_back(name);
    }
    for (const uint32_t number : node.reads) {
      if (!is_reached[number]) continue;
      impact.nodes.insert(name);
      impact.by_read[read_text(reads[number])].push_back(name);
    }
  }
  for (auto& [read, nodes] : impact.by_read) std::ranges::sort(nodes);
  return impact;
}

std::vector<std::string> reads_of(const NodeCache& cache, const CachedNode& node) {
  std::vector<std::string> texts = {"file " + absolute_path(node.facts_path)};
  for (const uint32_t number : node.reads)
    texts.push_back(read_text(cache.table().reads()[number]));
  std::ranges::sort(texts);
  return texts;
}

}  // namespace bunraku
