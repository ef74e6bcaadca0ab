// Most commands bring what the node has sent before. Their large members are compared with those
// that were read already, byte for byte by a digest, and not read again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bunraku::store {

struct SplitBody {
  std::string rest;          // the object without its large members, as JSON
  std::string large_digest;  // of their names and texts
};

// Nothing when the text is not plainly an object with each of the large members at most once: then
// it is to be read as a whole, which says what is wrong with it.
std::optional<SplitBody> split_body(std::string_view body, std::span<const std::string_view> large);

// Digests of contents by keys that stand for all that they depend on; the same for the whole
// process, and bounded. Safe from any thread.
std::optional<std::string> known_hash(const std::string& key);
void keep_hash(const std::string& key, const std::string& hash);

}  // namespace bunraku::store
