// Checksums that are known.
#include "site/file_serving/checksum_cache.h"

#include <algorithm>
#include <chrono>

namespace bunraku {
namespace {

constexpr int64_t kSettled = 2'000'000'000;  // nanoseconds

std::string key_of(const std::string& kind, const std::string& path) {
  return kind + '\0' + path;
}

}  // namespace

std::optional<std::string> ChecksumCache::find(const std::string& kind, const std::string& path,
                                               const FileStamp& stamp) const {
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(key_of(kind, path));
  if (found == entries_.end() || !(found->second.stamp == stamp)) return std::nullopt;
  return found->second.checksum;
}

void ChecksumCache::put(const std::string& kind, const std::string& path, const FileStamp& stamp,
                        std::string checksum) {
  const int64_t now = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::system_clock::now().time_since_epoch())
                          .count();
  if (now - std::max(stamp.modified, stamp.changed) < kSettled) return;
  const std::scoped_lock lock(mutex_);
  // Rare, and cheaper than an order of use.
  if (entries_.size() >= kMost) entries_.clear();
  entries_[key_of(kind, path)] = {stamp, std::move(checksum)};
}

}  // namespace bunraku
