#include "base/system/text_cache.h"

#include <utility>

#include "base/system/file_reader.h"
#include "base/system/reads.h"
#include "base/text/digest.h"

namespace bunraku {

const std::string& FileText::digest() const {
  std::call_once(has_digest_, [this] { digest_ = digest_hex(DigestAlgorithm::kSha256, text_); });
  return digest_;
}

TextCache& TextCache::shared() {
  static TextCache* const cache = new TextCache;
  return *cache;
}

std::shared_ptr<const FileText> TextCache::read(const std::string& path) {
  if (ReadObserver::current() != nullptr) return std::make_shared<FileText>(read_file(path));
  const Entry known = find(path);
  if (known.text != nullptr && known.stamp == file_stamp(path)) return known.text;
  // The path may be any text, such as a fact, so it is examined before it is opened.
  FileReader reader(path);
  auto text = std::make_shared<const FileText>(reader.read_all());
  const FileStamp& stamp = reader.stamp();
  const uint64_t size = text->text().size();
  const bool is_kept = size != 0 && size <= kLargestText && size == stamp.size && is_settled(stamp);
  if (is_kept) keep(path, {stamp, text});
  return text;
}

TextCache::Entry TextCache::find(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(path);
  return found == entries_.end() ? Entry() : found->second;
}

void TextCache::keep(const std::string& path, Entry entry) {
  const std::lock_guard lock(mutex_);
  // Rare, and cheaper than keeping an order of use.
  if (bytes_ + entry.text->text().size() > kMostBytes) {
    entries_.clear();
    bytes_ = 0;
  }
  Entry& kept = entries_[path];
  if (kept.text != nullptr) bytes_ -= kept.text->text().size();
  bytes_ += entry.text->text().size();
  kept = std::move(entry);
}

}  // namespace bunraku
