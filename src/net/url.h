// URLs and what stands in them: escapes, queries, the path of a request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku::net {

// Percent escapes decoded once; nothing when one is broken.
std::optional<std::string> decode_percent(std::string_view text, bool plus_is_space = false);
// All but letters, digits and "-._~" escaped; slashes too unless they are kept.
std::string encode_percent(std::string_view text, bool keeps_slashes = false);

// Names and values of a query or of a form's body, in their order, decoded.
using Parameters = std::vector<std::pair<std::string, std::string>>;
// Throws BadMessage for broken escapes, zero bytes and text that is not UTF-8.
Parameters parse_parameters(std::string_view text);

// The target of a request: the path normalised as it is both routed and authorised by.
struct Target {
  std::string path;   // "/puppet/v3/catalog/a": decoded once, no parameters, no doubled slashes
  std::string query;  // as it was sent, without its question mark
};
// Throws BadMessage (400) for "." and ".." among the segments, zero bytes, broken escapes and text
// that is not UTF-8.
Target parse_target(std::string_view target);

struct Url {
  std::string scheme;  // "https" or "http"
  std::string host;    // without brackets
  uint16_t port = 0;
  std::string target;  // "/path?query", at least "/"
  std::string user;    // decoded; empty when there is none
  std::string password;
};
// Throws NetError (kConfiguration) for what is no URL of http or https.
Url parse_url(std::string_view text);
// "host:port", an IPv6 address in brackets.
std::string authority_of(const Url& url);
// The same without the port that the scheme stands for.
std::string host_field_of(const Url& url);

}  // namespace bunraku::net
