// Hashes for tables with keys from outside, such as the names of facts. They differ between
// processes, so that no attacker can prepare keys with equal hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bunraku {

namespace detail {

struct HashSecrets {
  uint64_t start;
  uint64_t factor;
};
HashSecrets make_hash_secrets();

inline const HashSecrets& hash_secrets() {
  static const HashSecrets secrets = make_hash_secrets();
  return secrets;
}

__extension__ using Product = unsigned __int128;

// Combines the halves of a product: each bit of the result depends on all bits of both factors.
inline uint64_t folded_product(uint64_t a, uint64_t b) {
  const Product product = Product{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace detail

inline uint64_t text_hash(std::string_view text) {
  const detail::HashSecrets& secrets = detail::hash_secrets();
  uint64_t hash = secrets.start ^ text.size();
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    hash = detail::folded_product(hash ^ word, secrets.factor);
  }
  uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, at, left);
  return detail::folded_product(hash ^ rest, secrets.factor);
}

// The hash of a number, or of combined hashes.
inline uint64_t word_hash(uint64_t word) {
  const detail::HashSecrets& secrets = detail::hash_secrets();
  return detail::folded_product(secrets.start ^ word, secrets.factor);
}

// For standard tables with texts as keys; with std::equal_to<> any kind of text can be looked up.
struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return text_hash(text); }
};

}  // namespace bunraku
