// URLs and their parts: escapes, queries, the path of a request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::net {

// Decodes percent escapes once; nothing when one is invalid.
std::optional<std::string> decode_percent(std::string_view text, bool plus_is_space = false);
// Escapes all but letters, digits and "-._~", slashes too unless they are kept.
std::string encode_percent(std::string_view text, bool keeps_slashes = false);

// Names and values of a query or of a form's body, in their order, decoded.
using Parameters = std::vector<std::pair<std::string, std::string>>;
// Throws BadMessage for invalid escapes, zero bytes and text that is not UTF-8.
Parameters parse_parameters(std::string_view text);

// The target of a request, with the path normalised; routing and authorisation use the same one.
struct Target {
  std::string path;  // "/puppet/v3/catalog/a": decoded once, without parameters and doubled slashes
  std::string query;  // as it was sent, without the question mark
};
// Throws BadMessage (400) for the segments "." and "..", zero bytes, invalid escapes and text that
// is not UTF-8.
Target parse_target(std::string_view target);

struct Url {
  std::string scheme;  // "https" or "http"
  std::string host;    // without brackets
  uint16_t port = 0;
  std::string target;  // "/path?query", at least "/"
  std::string user;    // decoded; empty when there is none
  std::string password;
};
// Throws NetError (kConfiguration) unless the text is a URL of http or https.
Url parse_url(std::string_view text);
// "host:port", an IPv6 address in brackets.
std::string authority_of(const Url& url);
// The same without the scheme's default port.
std::string host_field_of(const Url& url);

}  // namespace bunraku::net
