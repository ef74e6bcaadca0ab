// The table of all names.
#include "base/memory/name.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "base/memory/arena.h"
#include "base/memory/data_names.h"
#include "base/text/text_hash.h"

namespace bunraku {
namespace {

template <typename Word>
Word read(const char* from) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// Reads up to 7 bytes as one word, by overlapping reads.
inline uint64_t read_short(std::string_view text) {
  const size_t size = text.size();
  const char* at = text.data();
  if (size >= 4) return uint64_t{read<uint32_t>(at)} << 32 | read<uint32_t>(at + size - 4);
  if (size == 0) return 0;
  auto byte = [at](size_t i) { return uint64_t{static_cast<unsigned char>(at[i])}; };
  return byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1);
}

// Equal to text_hash(), with fewer branches for short texts.
uint32_t hash_of(std::string_view text) {
  const detail::HashSecrets& secrets = detail::hash_secrets();
  const auto mix = [&secrets](uint64_t hash, uint64_t word) {
    return detail::folded_product(hash ^ word, secrets.factor);
  };
  const size_t size = text.size();
  uint64_t hash = secrets.start ^ size;
  if (size < 8) {
    hash = mix(hash, read_short(text));
  } else {
    // Most names have up to 16 bytes, which are covered by their first and last 8.
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
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, goes_on);
}

// An open-addressed set of entries, one of several, so that threads rarely compete for a lock.
class Shard {
 public:
  const Name::Entry* intern(std::string_view text, uint32_t hash) {
    const std::lock_guard lock(mutex_);
    if (count_ * 2 >= slots_.size()) grow();
    const Name::Entry*& slot = slot_of(text, hash);
    if (slot == nullptr) {
      slot = add(arena_.allocate(size_of(text), alignof(Name::Entry)), text, hash);
    } else if (!users_.empty()) {
      users_.erase(slot);  // from now on it lives forever
    }
    return slot;
  }
  // Returns a name from data, and whether its users are counted; count_user() must follow then.
  const Name::Entry* intern_data(std::string_view text, uint32_t hash, bool& is_counted) {
    const std::lock_guard lock(mutex_);
    if (count_ * 2 >= slots_.size()) grow();
    const Name::Entry*& slot = slot_of(text, hash);
    if (slot == nullptr) {
      void* memory = std::malloc(size_of(text));
      if (memory == nullptr) throw std::bad_alloc();
      slot = add(memory, text, hash);
      users_.emplace(slot, 0);
    }
    const auto users = users_.find(slot);
    is_counted = users != users_.end();
    if (is_counted) ++users->second;
    return slot;
  }
  // Removes one user; the name is freed with the last one.
  void release(const Name::Entry* entry) {
    const std::lock_guard lock(mutex_);
    const auto users = users_.find(entry);
    if (users == users_.end() || --users->second > 0) return;
    users_.erase(users);
    remove(entry);
    std::free(const_cast<Name::Entry*>(entry));
  }
  size_t counted() {
    const std::lock_guard lock(mutex_);
    return users_.size();
  }
  const Name::Entry* find(std::string_view text, uint32_t hash) {
    const std::lock_guard lock(mutex_);
    return slots_.empty() ? nullptr : slot_of(text, hash);
  }

 private:
  // The slot of the name, or the free one for it.
  const Name::Entry*& slot_of(std::string_view text, uint32_t hash) {
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      const Name::Entry*& entry = slots_[i];
      if (entry == nullptr || (entry->hash == hash && equal(*entry, text))) return entry;
    }
  }
  static size_t size_of(std::string_view text) { return sizeof(Name::Entry) + text.size(); }
  const Name::Entry* add(void* memory, std::string_view text, uint32_t hash) {
    auto* entry =
        ::new (memory) Name::Entry{hash, static_cast<uint32_t>(text.size()), is_word(text)};
    std::ranges::copy(text, static_cast<char*>(memory) + sizeof(Name::Entry));
    ++count_;
    return entry;
  }
  // The following entries move up, so that all are still found.
  void remove(const Name::Entry* entry) {
    const size_t mask = slots_.size() - 1;
    size_t hole = entry->hash & mask;
    while (slots_[hole] != entry) hole = (hole + 1) & mask;
    for (size_t i = (hole + 1) & mask; slots_[i] != nullptr; i = (i + 1) & mask) {
      const size_t home = slots_[i]->hash & mask;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = nullptr;
    --count_;
  }
  void grow() {
    std::vector<const Name::Entry*> larger(slots_.empty() ? 256 : slots_.size() * 2);
    const size_t mask = larger.size() - 1;
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
  std::unordered_map<const Name::Entry*, size_t> users_;  // for names from data
};

constexpr size_t kShards = 16;

Shard& shard_of(uint32_t hash) {
  // Never destroyed, because names are used until the end of the process.
  static auto* shards = new std::array<Shard, kShards>();
  return (*shards)[hash >> 28];
}

// A cache per thread: most look-ups repeat a few hundred names and need no lock. It is allocated
// for a thread's first name, because a new thread clears its static variables, page by page.
constexpr size_t kCacheSize = 4096;
using Cache = std::array<const Name::Entry*, kCacheSize>;
thread_local std::unique_ptr<Cache> cache;

const Name::Entry*& cached_entry(uint32_t hash) {
  if (cache == nullptr) cache = std::make_unique<Cache>();
  return (*cache)[hash % kCacheSize];
}

thread_local DataNames* data_names = nullptr;

}  // namespace

Name::Name(std::string_view text) {
  const uint32_t hash = hash_of(text);
  const Entry*& cached = cached_entry(hash);
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

// --- names of data -------------------------------------------------------------------------------

DataNames::DataNames() : outer_(data_names) {
  data_names = this;
}

DataNames::~DataNames() {
  data_names = outer_;
  for (const Name::Entry* entry : kept_) shard_of(entry->hash).release(entry);
}

void DataNames::grow() {
  std::vector<const Name::Entry*> larger(slots_.empty() ? 64 : slots_.size() * 2);
  const size_t mask = larger.size() - 1;
  for (const Name::Entry* entry : kept_) {
    size_t i = entry->hash & mask;
    while (larger[i] != nullptr) i = (i + 1) & mask;
    larger[i] = entry;
  }
  slots_.swap(larger);
}

namespace {
// A Name is a pointer to its entry.
Name as_name(const Name::Entry* entry) {
  static_assert(sizeof(Name) == sizeof(void*));
  return std::bit_cast<Name>(entry);
}
}  // namespace

Name data_name(std::string_view text) {
  if (data_names == nullptr) return Name(text);
  DataNames& names = *data_names;
  const uint32_t hash = hash_of(text);
  // Names in code, and those that this work has already, are found without the table.
  const Name::Entry* cached = cached_entry(hash);
  if (cached != nullptr && cached->hash == hash && equal(*cached, text)) return as_name(cached);
  if ((names.kept_.size() + 1) * 2 > names.slots_.size()) names.grow();
  const size_t mask = names.slots_.size() - 1;
  size_t at = hash & mask;
  for (; names.slots_[at] != nullptr; at = (at + 1) & mask) {
    const Name::Entry* entry = names.slots_[at];
    if (entry->hash == hash && equal(*entry, text)) return as_name(entry);
  }
  bool is_counted = false;
  if (names.kept_.size() == names.kept_.capacity()) {
    names.kept_.reserve(std::max<size_t>(64, names.kept_.size() * 2));
  }
  const Name::Entry* entry = shard_of(hash).intern_data(text, hash, is_counted);
  if (!is_counted) return Name(text);
  names.kept_.push_back(entry);
  names.slots_[at] = entry;
  return as_name(entry);
}

size_t data_name_count() {
  size_t all = 0;
  for (uint32_t i = 0; i < kShards; ++i) all += shard_of(i << 28).counted();
  return all;
}

}  // namespace bunraku
