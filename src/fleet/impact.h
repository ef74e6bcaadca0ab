// Which nodes a file can reach.
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
  // By what was read, as read_text() has it.
  std::map<std::string, std::vector<std::string>> by_read;
};

// `path` is absolute; it need not exist. With `is_changed_only` only what would be read differently
// now counts.
FileImpact impact_of(const NodeCache& cache, const std::string& path, bool is_changed_only);

// All that the node's answer was made of, as read_text() has it, sorted.
std::vector<std::string> reads_of(const NodeCache& cache, const CachedNode& node);

}  // namespace bunraku
