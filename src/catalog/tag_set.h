// Tags: a set of names that keeps the order in which they came.
#pragma once

#include <cstdint>
#include <string_view>

#include "support/arena.h"
#include "support/name.h"

namespace bunraku {

// Lives in an arena. A few tags are searched one by one; more get an index.
class TagSet {
 public:
  bool contains(Name tag) const;
  // False when it was there already.
  bool add(Arena& arena, Name tag);
  void merge(Arena& arena, const TagSet& other);

  const Name* begin() const { return names_; }
  const Name* end() const { return names_ + size_; }
  uint32_t size() const { return size_; }

 private:
  static constexpr uint32_t kIndexedFrom = 24;
  void reserve(Arena& arena, uint32_t capacity);
  void index_all(Arena& arena);
  void index_one(uint32_t number);

  Name* names_ = nullptr;
  uint32_t size_ = 0;
  uint32_t capacity_ = 0;
  uint32_t* index_ = nullptr;  // open addressing, number + 1, 0 is free
  uint32_t index_mask_ = 0;
};

// May the text be a tag? Letters, digits and underscores first, then also : . and -.
bool is_valid_tag(std::string_view text);

// Adds the down-cased text and, of a qualified one, its segments. False, and nothing added, when it
// is no valid tag.
bool add_tag(Arena& arena, TagSet& tags, std::string_view text);
// The same of the name of a type or class, which is a valid tag without upper-case letters.
void add_name_tag(Arena& arena, TagSet& tags, Name name);

}  // namespace bunraku
