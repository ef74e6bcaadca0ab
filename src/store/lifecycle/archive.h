// All nodes of a store as an archive in PuppetDB's format, and back.
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

// Writes a gzipped tar archive, which has the secrets of all nodes: to a file that only its owner
// reads, or to an open one. Throws StoreError and FileError.
ArchiveCounts export_archive(Store& store, const std::string& path);
ArchiveCounts write_archive(Store& store, int descriptor);
// Reads one, or the directory that one was unpacked to. What is in the store and newer stays.
// Throws StoreError and FileError.
ArchiveCounts import_archive(Store& store, const std::string& path);
// The same of an archive that is in memory. Throws StoreError.
ArchiveCounts import_archive_bytes(Store& store, const std::string& bytes);

}  // namespace bunraku::store
