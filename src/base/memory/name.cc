#include "base/memory/name.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "base/memory/arena.h"

namespace bunraku {
namespace {

template <typename Word>
Word read(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Up to 7 bytes as one word, by reads that overlap.
inline uint64_t read_short(std::string_view text) {
  const size_t size = text.size();
  const char* at = text.data();
  if (size >= 4) return uint64_t{read<uint32_t>(at)} << 32 | read<uint32_t>(at + size - 4);
  if (size == 0) return 0;
  auto byte = [at](size_t i) { return uint64_t{static_cast<unsigned char>(at[i])}; };
  return byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
}

uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

uint32_t hash_of(std::string_view text) {
  const size_t size = text.size();
  uint64_t hash = 0xcbf29ce484222325ull ^ size;
  if (size < 8) {
    hash = mix(hash, read_short(text));
  } else {
    // Most names have up to 16 bytes, which are their first and their last 8.
    const char* last = text.data() + size - 8;
    hash = mix(hash, read<uint64_t>(text.data()));
    for (size_t i = 8; i + 8 < size; i += 8) hash = mix(hash, read<uint64_t>(text.data() + i));
    hash = mix(hash, read<uint64_t>(last));
  }
  hash = mix(hash, 0);
  return static_cast<uint32_t>(hash);
}

[[gnu::always_inline]] inline bool equal(const Name::Entry& entry, std::string_view text) {
  if (entry.length != text.size()) return false;
  const char* mine = entry.characters();
  const char* theirs = text.data();
  if (text.size() < 8) return read_short({mine, text.size()}) == read_short(text);
  const size_t last = text.size() - 8;
  uint64_t difference = read<uint64_t>(mine) ^ read<uint64_t>(theirs);
  for (size_t i = 8; i < last; i += 8) {
    difference |= read<uint64_t>(mine + i) ^ read<uint64_t>(theirs + i);
  }
  return (difference | (read<uint64_t>(mine + last) ^ read<uint64_t>(theirs + last))) == 0;
}

bool is_word(std::string_view text) {
  auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  auto goes_on = [is_letter](char c) {
    return is_letter(c) || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), goes_on);
}

// An open-addressed set of entries, one of several so that threads seldom meet at its lock.
class Shard {
 public:
  const Name::Entry* intern(std::string_view text, uint32_t hash) {
    std::lock_guard lock(mutex_);
    if (count_ * 2 >= slots_.size()) grow();
    const Name::Entry*& slot = slot_of(text, hash);
    if (slot == nullptr) slot = add(text, hash);
    return slot;
  }
  const Name::Entry* find(std::string_view text, uint32_t hash) {
    std::lock_guard lock(mutex_);
    return slots_.empty() ? nullptr : slot_of(text, hash);
  }

 private:
  // Where the name stands or would stand.
  const Name::Entry*& slot_of(std::string_view text, uint32_t hash) {
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Name::Entry*& entry = slots_[i];
      if (entry == nullptr || (entry->hash == hash && equal(*entry, text))) return entry;
    }
  }
  const Name::Entry* add(std::string_view text, uint32_t hash) {
    void* memory = arena_.allocate(sizeof(Name::Entry) + text.size(), alignof(Name::Entry));
    auto* entry =
        ::new (memory) Name::Entry{hash, static_cast<uint32_t>(text.size()), is_word(text)};
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
constexpr size_t kCacheSize = 4096;
thread_local std::array<const Name::Entry*, kCacheSize> cache{};

}  // namespace

Name::Name(std::string_view text) {
  uint32_t hash = hash_of(text);
  const Entry*& cached = cache[hash % kCacheSize];
  if (cached == nullptr || cached->hash != hash || !equal(*cached, text)) {
    cached = shard_of(hash).intern(text, hash);
  }
  entry_ = cached;
}

Name Name::find(std::string_view text) {
  const uint32_t hash = hash_of(text);
  Name name;
  name.entry_ = shard_of(hash).find(text, hash);
  return name;
}

}  // namespace bunraku
