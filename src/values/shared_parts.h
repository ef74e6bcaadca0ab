// Stored results for the parts of a large value. Values share parts, so that a small one can
// represent a very large one; a traversal that stores its result for a part visits it once. In
// short traversals nothing is stored, because that would cost more.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "values/bounds.h"
#include "values/value.h"

namespace bunraku {

// The identity of a container: the address and the number of its elements. Null for other kinds of
// values.
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

// Stores a `Known` for each pair of parts or types, as soon as a traversal has become long.
template <typename Known>
class SharedParts {
 public:
  struct Pair {
    PartIdentity a, b;
    bool operator==(const Pair&) const = default;
  };

  // Returns whether the traversal is still too short to store results.
  static bool is_short(const Nesting& nesting) { return nesting.parts < kFewParts; }

  // Returns null when no result is stored.
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
