// Enums that grow by a value at a time while the common type of many texts is found.
#pragma once

#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>

#include "base/text/text_hash.h"
#include "values/type.h"

namespace bunraku {

// The values of an Enum and of those that it grew into, which share one list: each is the list's
// beginning, of a length of its own.
class EnumIndex {
 public:
  // Whether the text is among the first `count` values.
  bool contains(std::string_view text, size_t count) const {
    const auto found = places_.find(text);
    return found != places_.end() && found->second < count;
  }

 private:
  friend class EnumGrowth;
  std::unordered_map<std::string_view, size_t, TextHash> places_;
  std::span<std::string_view> list_;  // in the arena, with room for more than is in it
};

// Adds values to Enums at a cost in proportion to what is added, where making each Enum anew would
// sort and copy all that came before. The types that it makes are in no order: they may be asked
// what they take, while this lives and on its thread, and nothing else, until settle() has made
// plain types of them. Lives on the stack.
class EnumGrowth {
 public:
  // Below so many values an Enum is better made anew.
  static constexpr size_t kMany = 16;

  explicit EnumGrowth(Arena& arena) : arena_(arena), enclosing_(innermost_) { innermost_ = this; }
  EnumGrowth(const EnumGrowth&) = delete;
  EnumGrowth& operator=(const EnumGrowth&) = delete;
  ~EnumGrowth() { innermost_ = enclosing_; }

  // Takes the values of `type` and the others.
  const Type* joined(const EnumType& type, std::span<const std::string_view> others);
  // Sorts the values of all Enums that `type` is made of, which are then as types::enumeration()
  // makes them.
  void settle(const Type* type);

  // The index of a type that has grown and is not settled; null for all others.
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
  std::unordered_map<const std::string_view*, EnumIndex*> by_list_;  // old lists too
};

}  // namespace bunraku
