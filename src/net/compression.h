// Compression of HTTP bodies (gzip).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku::net {

// Compresses for speed rather than size. Nothing when it fails.
std::optional<std::string> gzip(std::string_view text);
// Returns nothing for invalid gzip data, and for more than `largest` bytes.
std::optional<std::string> gunzip(std::string_view text, size_t largest);
// Returns whether this value of Accept-Encoding accepts gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace bunraku::net
