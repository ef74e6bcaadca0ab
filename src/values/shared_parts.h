// What is known already of the parts of a large value. Values share their parts, so that a small
// one can stand for a very large one; a walk that remembers what it has found out about a part goes
// through it once. Small values are walked without: remembering costs more than they do.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "values/bounds.h"
#include "values/value.h"

namespace bunraku {

// What makes a container the same as another one: where its elements are, and how many. Null for
// other kinds of values.
struct PartIdentity {
  const void* elements = nullptr;
  uint32_t size = 0;
  bool operator==(const PartIdentity&) const = default;
};

inline PartIdentity part_identity(Value value) {
  if (value.is_array()) {
    return {value.as_array().data(), static_cast<uint32_t>(value.as_array().size())};
  }
  if (value.is_hash()) return {value.as_hash().entries, value.as_hash().size};
  if (value.is_object()) return {&value.as_object(), 0};
  return {};
}

// Remembers a `Known` for each pair of parts or types, from the point on where a walk has become a
// long one.
template <typename Known>
class SharedParts {
 public:
  struct Pair {
    PartIdentity a, b;
    bool operator==(const Pair&) const = default;
  };

  // Does nothing have to be remembered yet?
  static bool is_short(const Nesting& nesting) { return nesting.parts < kFewParts; }

  // Null when nothing is known.
  const Known* find(const Nesting& nesting, const Pair& pair) const {
    if (is_short(nesting) || known_ == nullptr) return nullptr;
    auto found = known_->find(pair);
    return found == known_->end() ? nullptr : &found->second;
  }
  void remember(const Nesting& nesting, const Pair& pair, Known known) {
    if (is_short(nesting)) return;
    if (known_ == nullptr) known_ = std::make_unique<Table>();
    known_->emplace(pair, known);
  }

 private:
  static constexpr uint32_t kFewParts = 1 << 12;

  struct Hash {
    size_t operator()(const Pair& pair) const {
      uint64_t word = reinterpret_cast<uintptr_t>(pair.a.elements) * 0x9e3779b97f4a7c15ull;
      word ^= word >> 29;
      word += reinterpret_cast<uintptr_t>(pair.b.elements) * 0xbf58476d1ce4e5b9ull;
      return word ^ (word >> 32) ^ pair.a.size;
    }
  };
  using Table = std::unordered_map<Pair, Known, Hash>;
  std::unique_ptr<Table> known_;
};

}  // namespace bunraku
