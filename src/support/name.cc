#include "support/name.h"

#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "support/arena.h"

namespace bunraku {
namespace {

uint32_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ull ^ text.size();
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
  }
  for (; i < text.size(); ++i) {
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100000001b3ull;
  }
  hash ^= hash >> 29;
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

// An open-addressed set of entries, one of several so that threads seldom meet at its lock.
class Shard {
 public:
  const Name::Entry* intern(std::string_view text, uint32_t hash) {
    std::lock_guard lock(mutex_);
    if (count_ * 2 >= slots_.size()) grow();
    size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Name::Entry* entry = slots_[i];
      if (entry == nullptr) return slots_[i] = add(text, hash);
      if (entry->hash == hash && std::string_view(entry->characters(), entry->length) == text) {
        return entry;
      }
    }
  }

 private:
  const Name::Entry* add(std::string_view text, uint32_t hash) {
    void* memory = arena_.allocate(sizeof(Name::Entry) + text.size(), alignof(Name::Entry));
    auto* entry = ::new (memory) Name::Entry{hash, static_cast<uint32_t>(text.size())};
    std::memcpy(static_cast<char*>(memory) + sizeof(Name::Entry), text.data(), text.size());
    ++count_;
    return entry;
  }
  void grow() {
    std::vector<const Name::Entry*> larger(slots_.empty() ? 256 : slots_.size() * 2);
    size_t mask = larger.size() - 1;
    for (const Name::Entry* entry : slots_) {
      if (entry == nullptr) continue;
      size_t i = entry->hash & mask;
      while (larger[i] != nullptr) i = (i + 1) & mask;
      larger[i] = entry;
    }
    slots_.swap(larger);
  }

  std::mutex mutex_;
  Arena arena_;
  std::vector<const Name::Entry*> slots_;
  size_t count_ = 0;
};

constexpr size_t kShards = 16;

Shard& shard_of(uint32_t hash) {
  // Never destroyed: names are used until the very end of the process.
  static auto* shards = new std::array<Shard, kShards>();
  return (*shards)[hash >> 28];
}

// Most look-ups repeat a few hundred names; those never reach a lock.
constexpr size_t kCacheSize = 1024;
thread_local std::array<const Name::Entry*, kCacheSize> cache{};

}  // namespace

Name::Name(std::string_view text) {
  uint32_t hash = hash_of(text);
  const Entry*& cached = cache[hash % kCacheSize];
  if (cached == nullptr || cached->hash != hash ||
      std::string_view(cached->characters(), cached->length) != text) {
    cached = shard_of(hash).intern(text, hash);
  }
  entry_ = cached;
}

}  // namespace bunraku
