// Cached checksums, and those in progress.
#include "base/system/checksum_cache.h"

namespace bunraku {
std::string ChecksumCache::of(const std::string& kind, const std::string& path,
                              const FileStamp& stamp, const std::function<std::string()>& make) {
  if (!is_settled(stamp)) return make();
  const std::string key = kind + '\0' + path;
  {
    std::unique_lock lock(mutex_);
    has_made_.wait(lock, [&] { return !in_making_.contains(key); });
    const auto found = entries_.find(key);
    if (found != entries_.end() && found->second.stamp == stamp) return found->second.checksum;
    in_making_.insert(key);
  }
  // Removes the mark on any exit.
  const struct Making {
    ~Making() {
      const std::scoped_lock lock(cache.mutex_);
      cache.in_making_.erase(key);
      cache.has_made_.notify_all();
    }
    ChecksumCache& cache;
    const std::string& key;
  } making{*this, key};
  std::string checksum = make();
  const std::scoped_lock lock(mutex_);
  // Rare, and cheaper than keeping an order of use.
  if (entries_.size() >= kMost) entries_.clear();
  entries_[key] = {stamp, checksum};
  return checksum;
}

}  // namespace bunraku
