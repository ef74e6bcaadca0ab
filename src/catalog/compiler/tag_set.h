// Tags: a set of names in the order of insertion.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory/arena.h"
#include "base/memory/name.h"

namespace bunraku {

// A set in an arena. Small sets are searched linearly; larger ones have an index.
class TagSet {
 public:
  bool contains(Name tag) const;
  // Returns false when the tag was already in the set.
  bool add(Arena& arena, Name tag);
  // Adds the tags of `other`. As sets only grow, merging the same one again reads only the tags
  // added since; `other` must live as long as this.
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
  uint64_t bits_ = 0;  // a filter over all names: most absent names are recognized by it alone
  uint32_t* index_ = nullptr;  // open addressing; entries are index + 1, 0 is free
  uint32_t index_mask_ = 0;
  uint32_t merged_size_ = 0;        // the number of merged_'s tags that are in this set
  const TagSet* merged_ = nullptr;  // the set that was merged last
};

// Returns whether the text is a valid tag: letters, digits and underscores, after the first one
// also : . and -.
bool is_valid_tag(std::string_view text);

// Adds the down-cased text and, of a qualified one, its segments. Adds nothing and returns false
// for an invalid tag.
bool add_tag(Arena& arena, TagSet& tags, std::string_view text);
// Adds the tags of a type's or class's name, which is always valid and in lower case.
void add_name_tag(Arena& arena, TagSet& tags, Name name);

}  // namespace bunraku
