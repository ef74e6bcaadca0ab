// Compression of answers (gzip).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku::net {

// Quick rather than small. Nothing when it could not be made.
std::optional<std::string> gzip(std::string_view text);
// Nothing for what is no gzip text, and for more than `largest` bytes.
std::optional<std::string> gunzip(std::string_view text, size_t largest);
// Does a client that sent this Accept-Encoding take gzip?
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace bunraku::net
