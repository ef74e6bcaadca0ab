// Tags: a set of names that keeps the order in which they came.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory/arena.h"
#include "base/memory/name.h"

namespace bunraku {

// Lives in an arena. A few tags are searched one by one; more get an index.
class TagSet {
 public:
  bool contains(Name tag) const;
  // False when it was there already.
  bool add(Arena& arena, Name tag);
  // Adds what `other` has. Sets only grow, so that merging the same one again looks only at what
  // came to it since; `other` must live as long as this.
  void merge(Arena& arena, const TagSet& other);

  const Name* begin() const { return names_; }
  const Name* end() const { return names_ + size_; }
  uint32_t size() const { return size_; }

 private:
  static constexpr uint32_t kIndexedFrom = 24;
  void reserve(Arena& arena, uint32_t capacity);
  static uint64_t bit_of(Name tag) { return uint64_t{1} << (tag.hash() % 64); }
  void index_all(Arena& arena);
  void index_one(uint32_t number);

  Name* names_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint64_t bits_ = 0;  // of all names: most names that are absent are recognised by them alone
  uint32_t* index_ = nullptr;  // open addressing, number + 1, 0 is free
  uint32_t index_mask_ = 0;
  uint32_t merged_size_ = 0;        // how much of merged_ is in this
  const TagSet* merged_ = nullptr;  // the one that was merged last
};

// May the text be a tag? Letters, digits and underscores first, then also : . and -.
bool is_valid_tag(std::string_view text);

// Adds the down-cased text and, of a qualified one, its segments. False, and nothing added, when it
// is no valid tag.
bool add_tag(Arena& arena, TagSet& tags, std::string_view text);
// The same of the name of a type or class, which is a valid tag without upper-case letters.
void add_name_tag(Arena& arena, TagSet& tags, Name name);

}  // namespace bunraku
