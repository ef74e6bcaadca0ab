// The secrets of a process's hashes.
#include "base/text/text_hash.h"

#include <random>

namespace bunraku::detail {

HashSecrets make_hash_secrets() {
  std::random_device random;
  auto word = [&] { return uint64_t{random()} << 32 | random(); };
  return {word(), word() | 1};
}

}  // namespace bunraku::detail
