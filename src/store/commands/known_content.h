// Most commands repeat data that the node has sent before. Their large members are compared by a
// digest with those already parsed, and are not parsed again.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bunraku::store {

struct SplitBody {
  std::string rest;          // the object without its large members, as JSON
  std::string large_digest;  // the digest of their names and texts
};

// Splits the body. Returns no value when the text is not clearly an object with each of the large
// members at most once; then it is parsed as a whole, which reports mistakes.
std::optional<SplitBody> split_body(std::string_view body, std::span<const std::string_view> large);

// A bounded cache of content digests, shared by the whole process. A key must identify everything
// that the digest depends on. Safe from any thread.
std::optional<std::string> known_hash(const std::string& key);
void keep_hash(const std::string& key, const std::string& hash);

}  // namespace bunraku::store
