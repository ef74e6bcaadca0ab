// Base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bunraku {

// With padding and without line breaks (Ruby's strict_encode64).
std::string encode_base64(std::string_view bytes);
// With a line break after every 60 characters and at the end (Ruby's [bytes].pack('m')).
std::string encode_base64_lines(std::string_view bytes);
// '-' and '_' for '+' and '/', with padding (Ruby's urlsafe_encode64).
std::string encode_base64_url(std::string_view bytes);

// Accepts only whole, padded groups (Ruby's strict_decode64); nothing otherwise.
std::optional<std::string> decode_base64(std::string_view text);
// Ignores other characters and ends at the padding (Ruby's unpack('m')).
std::string decode_base64_leniently(std::string_view text);

}  // namespace bunraku
