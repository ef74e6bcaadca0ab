// Escapes, queries, request targets and URLs.
#include "net/url.h"

#include <algorithm>
#include <charconv>

#include "base/text/utf8.h"
#include "net/message.h"
#include "net/message_parser.h"

namespace bunraku::net {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void check_text(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) throw BadMessage(400, "A zero byte in the URL");
  if (!is_valid_utf8(text)) throw BadMessage(400, "The URL is not UTF-8");
}

std::string decoded_parameter(std::string_view text) {
  std::optional<std::string> decoded = decode_percent(text, true);
  if (!decoded) throw BadMessage(400, "A percent sign without two hexadecimal digits");
  check_text(*decoded);
  return std::move(*decoded);
}

[[noreturn]] void fail_url(std::string_view text) {
  throw NetError(ErrorKind::kConfiguration,
                 "'" + std::string(text) + "' is not a URL of http or https");
}

// Parses "host:port" or "[::1]:port".
void parse_authority(std::string_view text, std::string_view whole, Url& url) {
  std::string_view port;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) fail_url(whole);
    url.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const size_t colon = text.find(':');
    url.host = text.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  if (url.host.empty()) fail_url(whole);
  if (port.empty()) return;
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  if (error != std::errc() || end != port.data() + port.size()) fail_url(whole);
}

}  // namespace

std::optional<std::string> decode_percent(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_space) {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return decoded;
}

std::string encode_percent(std::string_view text, bool keeps_slashes) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c) || (keeps_slashes && c == '/')) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += '%';
      encoded += kDigits[byte >> 4];
      encoded += kDigits[byte & 15];
    }
  }
  return encoded;
}

Parameters parse_parameters(std::string_view text) {
  Parameters parameters;
  while (!text.empty()) {
    const size_t end = text.find('&');
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    parameters.emplace_back(
        decoded_parameter(part.substr(0, equals)),
        equals == std::string_view::npos ? "" : decoded_parameter(part.substr(equals + 1)));
  }
  return parameters;
}

Target parse_target(std::string_view target) {
  Target result;
  // The absolute form is only for proxies.
  if (!target.starts_with('/')) throw BadMessage(400, "The target of the request is no path");
  target = target.substr(0, target.find('#'));
  const size_t question = target.find('?');
  if (question != std::string_view::npos) result.query = target.substr(question + 1);
  std::string_view path = target.substr(0, question);
  while (!path.empty()) {
    path.remove_prefix(1);
    const size_t end = path.find('/');
    std::string_view segment = path.substr(0, end);
    segment = segment.substr(0, segment.find(';'));
    const std::optional<std::string> decoded = decode_percent(segment);
    if (!decoded) throw BadMessage(400, "A percent sign without two hexadecimal digits");
    check_text(*decoded);
    // A line feed would end the path in the regular expressions of rules.
    if (std::ranges::any_of(*decoded, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; })) {
      throw BadMessage(400, "A control character in the path");
    }
    result.path += '/';
    result.path += *decoded;
    path = end == std::string_view::npos ? std::string_view() : path.substr(end);
  }
  // Decoded slashes may have created further segments.
  std::string joined;
  for (size_t begin = 0; begin < result.path.size();) {
    const size_t end = std::min(result.path.find('/', begin + 1), result.path.size());
    const std::string_view segment =
        std::string_view(result.path).substr(begin + 1, end - begin - 1);
    if (segment == "." || segment == "..") {
      throw BadMessage(400, "Invalid relative path (.. or .) in: " + result.path);
    }
    if (!segment.empty() || end == result.path.size()) {
      joined += '/';
      joined += segment;
    }
    begin = end;
  }
  result.path = std::move(joined);
  return result;
}

Url parse_url(std::string_view text) {
  Url url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.scheme = "https";
    url.port = 443;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    url.scheme = "http";
    url.port = 80;
    rest.remove_prefix(7);
  } else {
    fail_url(text);
  }
  const size_t slash = rest.find_first_of("/?");
  std::string_view authority = rest.substr(0, slash);
  url.target = slash == std::string_view::npos ? "/" : rest.substr(slash);
  if (url.target.starts_with('?')) url.target.insert(0, "/");
  const size_t at = authority.rfind('@');
  if (at != std::string_view::npos) {
    const std::string_view user = authority.substr(0, at);
    const size_t colon = user.find(':');
    url.user = decode_percent(user.substr(0, colon)).value_or("");
    if (colon != std::string_view::npos) {
      url.password = decode_percent(user.substr(colon + 1)).value_or("");
    }
    authority.remove_prefix(at + 1);
  }
  parse_authority(authority, text, url);
  return url;
}

std::string host_field_of(const Url& url) {
  const std::string authority = authority_of(url);
  const bool is_usual = url.port == (url.scheme == "https" ? 443 : 80);
  return is_usual ? authority.substr(0, authority.rfind(':')) : authority;
}

std::string authority_of(const Url& url) {
  const bool is_v6 = url.host.find(':') != std::string::npos;
  return (is_v6 ? "[" + url.host + "]" : url.host) + ":" + std::to_string(url.port);
}

}  // namespace bunraku::net
