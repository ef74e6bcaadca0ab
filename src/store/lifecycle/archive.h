// Exports all nodes of a store as an archive in PuppetDB's format, and imports archives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace bunraku::store {

struct ArchiveCounts {
  int64_t facts = 0, catalogs = 0, reports = 0, others = 0;
  std::vector<std::string> problems;  // files of an import that could not be stored
};

// Writes a gzipped tar archive, which contains the secrets of all nodes: to a new file that only
// its owner can read, or to an open one. Throws StoreError and FileError.
ArchiveCounts export_archive(Store& store, const std::string& path);
ArchiveCounts write_archive(Store& store, int descriptor);
// Imports an archive, or the directory of an unpacked one. Newer data in the store stay. Throws
// StoreError and FileError.
ArchiveCounts import_archive(Store& store, const std::string& path);
// Imports an archive in memory. Throws StoreError.
ArchiveCounts import_archive_bytes(Store& store, const std::string& bytes);

}  // namespace bunraku::store
