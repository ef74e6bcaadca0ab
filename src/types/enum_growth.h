// Enums that grow by one value at a time while the common type of many texts is determined.
#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/text/text_hash.h"
#include "values/type.h"

namespace bunraku {

// The values of an Enum and of those that it grew into, which share one list: each is a prefix of
// it.
class EnumIndex {
 public:
  // Returns whether the text is among the first `count` values.
  bool contains(std::string_view text, size_t count) const {
    const auto found = places_.find(text);
    return found != places_.end() && found->second < count;
  }

 private:
  friend class EnumGrowth;
  std::unordered_map<std::string_view, size_t, TextHash> places_;
  std::span<std::string_view> list_;  // in the arena, with spare capacity
};

// Adds values to Enums at a cost proportional to the added ones; making each Enum anew would sort
// and copy all earlier values. Its types are not sorted: until settle() has turned them into plain
// types, they may only be tested for assignability, while this lives and on its thread. Lives on
// the stack.
class EnumGrowth {
 public:
  // For fewer values, making a new Enum is faster.
  static constexpr size_t kMany = 16;

  explicit EnumGrowth(Arena& arena) : arena_(arena), enclosing_(innermost_) { innermost_ = this; }
  EnumGrowth(const EnumGrowth&) = delete;
  EnumGrowth& operator=(const EnumGrowth&) = delete;
  ~EnumGrowth() { innermost_ = enclosing_; }

  // Returns an Enum with the values of `type` and the others.
  const Type* joined(const EnumType& type, std::span<const std::string_view> others);
  // Sorts the values of all Enums in `type`, which are then like those of types::enumeration().
  void settle(const Type* type);

  // Returns the index of a type that has grown and is not settled; null for all others.
  static const EnumIndex* index_of(const EnumType& type) {
    return innermost_ == nullptr ? nullptr : innermost_->find(type);
  }

 private:
  EnumIndex* find(const EnumType& type) const;
  void add(EnumIndex& index, std::string_view text);

  static thread_local constinit EnumGrowth* innermost_;

  Arena& arena_;
  EnumGrowth* enclosing_;
  std::deque<EnumIndex> indices_;
  std::unordered_map<const std::string_view*, EnumIndex*> by_list_;  // also for old lists
};

}  // namespace bunraku
