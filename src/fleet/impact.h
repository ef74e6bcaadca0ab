// The nodes that a file affects.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fleet/node_cache.h"

namespace bunraku {

struct FileImpact {
  std::string path;
  std::set<std::string> nodes;
  // The affected nodes by what they read, in the form of read_text().
  std::map<std::string, std::vector<std::string>> by_read;
};

// `path` is absolute and need not exist. With `is_changed_only`, only reads whose answers would
// differ now count.
FileImpact impact_of(const NodeCache& cache, const std::string& path, bool is_changed_only);

// All reads of the node's compilation, in the form of read_text(), sorted.
std::vector<std::string> reads_of(const NodeCache& cache, const CachedNode& node);

}  // namespace bunraku
