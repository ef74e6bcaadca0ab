// Enums that grow while a common type is determined.
#include "types/enum_growth.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace bunraku {

thread_local constinit EnumGrowth* EnumGrowth::innermost_ = nullptr;

EnumIndex* EnumGrowth::find(const EnumType& type) const {
  const auto found = by_list_.find(type.values.data());
  if (found != by_list_.end()) return found->second;
  return enclosing_ == nullptr ? nullptr : enclosing_->find(type);
}

void EnumGrowth::add(EnumIndex& index, std::string_view text) {
  if (index.places_.contains(text)) return;
  const size_t count = index.places_.size();
  if (count == index.list_.size()) {
    // The old list is kept for the types that use a prefix of it.
    const size_t room = std::max(2 * count, 2 * kMany);
    auto* larger = arena_.make_array<std::string_view>(room);
    std::ranges::copy(index.list_, larger);
    index.list_ = {larger, room};
    by_list_[larger] = &index;
  }
  index.list_[count] = arena_.copy(text);
  index.places_.emplace(index.list_[count], count);
}

const Type* EnumGrowth::joined(const EnumType& type, std::span<const std::string_view> others) {
  const auto known = by_list_.find(type.values.data());
  EnumIndex* index = known == by_list_.end() ? nullptr : known->second;
  // A type that is not the newest in its list cannot grow there; a new list is made for it.
  if (index == nullptr || index->places_.size() != type.values.size()) {
    index = &indices_.emplace_back();
    for (const std::string_view value : type.values) add(*index, value);
  }
  for (const std::string_view value : others) add(*index, value);
  const std::span<const std::string_view> values = index->list_.first(index->places_.size());
  return arena_.make<EnumType>(EnumType{{{TypeKind::kEnum}}, values, false});
}

void EnumGrowth::settle(const Type* type) {
  if (indices_.empty()) return;
  std::unordered_set<const Type*> met;
  std::vector<const Type*> waiting;
  const auto meet = [&](const Type* part) {
    if (part != nullptr && met.insert(part).second) waiting.push_back(part);
  };
  meet(type);
  while (!waiting.empty()) {
    const Type* part = waiting.back();
    waiting.pop_back();
    if (const auto* array = part->try_as<ArrayType>()) {
      meet(array->element);
    } else if (const auto* hash = part->try_as<HashType>()) {
      meet(hash->key);
      meet(hash->value);
    } else if (const auto* holder = part->try_as<TypeType>()) {
      meet(holder->contained);
    } else if (const auto* growing = part->try_as<EnumType>()) {
      if (!by_list_.contains(growing->values.data())) continue;
      const std::span<std::string_view> sorted = arena_.copy(growing->values);
      std::ranges::sort(sorted);
      // The object was made by joined(): it is not constant, and nothing else has used it.
      const_cast<EnumType*>(growing)->values = sorted;
    }
  }
}

}  // namespace bunraku
