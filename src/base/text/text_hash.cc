// The random secrets of a process's hashes.
#include "base/text/text_hash.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace bunraku::detail {

HashSecrets make_hash_secrets() {
  uint64_t words[2];
  if (getentropy(words, sizeof words) != 0) throw std::system_error(errno, std::generic_category());
  return {words[0], words[1] | 1};
}

}  // namespace bunraku::detail
