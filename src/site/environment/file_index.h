// An index of the files and directories below one root. A directory is listed when something in it
// is first looked up, and that listing is kept. Safe from any thread; no lock is held while a
// directory is read. Observers of reads are not notified: callers report their look-ups.
#pragma once

#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/system/directory_walk.h"
#include "base/system/file_system.h"
#include "base/system/kept_texts.h"

namespace bunraku {

// A directory that is indexed.
struct IndexedDirectory {
  std::string_view path;  // relative to the root
  // Whether links to directories below it are entered; the directory may be a link in any case.
  Links links;
};

class FileIndex {
 public:
  // Indexes the directories `tops`, which must not contain each other and must outlive the index.
  // Without a root the index is empty.
  // With `texts`, which may be null, listings of earlier processes are used as long as their
  // directories are unchanged.
  FileIndex(std::string root, std::span<const IndexedDirectory> tops, KeptTexts* texts)
      : root_(std::move(root)), tops_(tops), texts_(texts) {}

  bool has_file(std::string_view relative_path) const;
  bool has_directory(std::string_view relative_path) const;

 private:
  // In the order of their names. Links that are not entered are left out.
  using Entries = std::vector<DirectoryEntry>;

  // Returns null when there is no such entry.
  static const DirectoryEntry* find(const Entries& entries, std::string_view name);
  // Returns null when there is no such directory.
  const Entries* entries_of(std::string_view directory) const;
  // Returns whether the directory is among the entries of the one that contains it.
  bool is_listed(std::string_view directory) const;
  // The indexed directory that is `directory` or contains it; null when there is none.
  const IndexedDirectory* top_of(std::string_view directory) const;
  std::unique_ptr<const Entries> list(std::string_view directory, Links links) const;
  bool may_use_texts() const;
  // The current text of an earlier process for a directory, if there is one.
  std::optional<KeptTexts::Text> text_for(const std::string& path) const;
  // Fills `entries`, with links, from the texts of an earlier process if they are current; returns
  // 0 or errno.
  int read(std::string_view directory, Entries& entries) const;
  // Returns whether one of the directories above it shows that it is missing. Those of the first
  // level are not listed, because nearly all roots have the same ones ("lib").
  bool is_missed_above(std::string_view directory) const;

  std::string root_;
  std::span<const IndexedDirectory> tops_;
  KeptTexts* texts_;
  mutable std::shared_mutex mutex_;
  mutable std::unordered_map<std::string, std::unique_ptr<const Entries>, TextHash, std::equal_to<>>
      directories_;  // null: the directory does not exist
};

}  // namespace bunraku
