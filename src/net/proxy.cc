// Proxies from the environment and from settings.
#include "net/proxy.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/text/base64.h"

namespace bunraku::net {
namespace {

constexpr std::string_view kSpace = " \t\r\n\f\v";
constexpr uint16_t kHttpPort = 80;
constexpr uint16_t kHttpsPort = 443;

// Returns whether `pattern`, in which "*" stands for any characters, matches an end of `text`.
bool matches_end(std::string_view pattern, std::string_view text) {
  // The position to retry from after the last star; a star before the pattern is implied.
  size_t star = 0;
  size_t retry = 0;
  size_t at = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      retry = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else {
      at = star;
      i = ++retry;
    }
  }
  return std::ranges::all_of(pattern.substr(at), [](char c) { return c == '*'; });
}

bool is_exception(std::string_view entry, const Url& url) {
  const bool is_v6 = url.host.find(':') != std::string::npos;
  const std::string host = is_v6 ? "[" + url.host + "]" : url.host;
  // Colons within brackets, and those of an IPv6 address without them, are not the start of a port.
  const size_t colon =
      entry.find(':', entry.find(']') == std::string_view::npos ? 0 : entry.find(']'));
  const bool has_port = colon != std::string_view::npos && colon == entry.rfind(':');
  if (has_port) return matches_end(entry, host + ":" + std::to_string(url.port));
  return matches_end(entry, host) || (is_v6 && matches_end(entry, url.host));
}

// Splits at commas and drops empty entries, which would match every host.
std::vector<std::string> split_exceptions(std::string_view text) {
  std::vector<std::string> entries;
  while (!text.empty()) {
    const size_t end = text.find(',');
    std::string_view entry = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    entry.remove_prefix(std::min(entry.find_first_not_of(kSpace), entry.size()));
    entry = entry.substr(0, entry.find_last_not_of(kSpace) + 1);
    if (!entry.empty()) entries.emplace_back(entry);
  }
  return entries;
}

const char* variable(const char* name, const char* other) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : std::getenv(other);
}

// Parses the URL of a proxy. A URL without a host means no proxy.
Proxy read_proxy(std::string_view text) {
  Proxy proxy;
  const size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return proxy;
  proxy.port = text.substr(0, scheme) == "https" ? kHttpsPort : kHttpPort;
  text.remove_prefix(scheme + 3);
  text = text.substr(0, text.find_first_of("/?#"));
  if (const size_t at = text.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = text.substr(0, at);
    const size_t colon = user.find(':');
    proxy.user = user.substr(0, colon);
    if (colon != std::string_view::npos) proxy.password = user.substr(colon + 1);
    text.remove_prefix(at + 1);
  }
  std::string_view port;
  if (text.starts_with('[')) {
    const size_t end = text.find(']');
    if (end == std::string_view::npos) return {};
    proxy.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const size_t colon = text.find(':');
    proxy.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon);
  }
  if (port.size() > 1) {
    const auto [end, error] =
        std::from_chars(port.data() + 1, port.data() + port.size(), proxy.port);
    if (error != std::errc() || end != port.data() + port.size()) return {};
  }
  return proxy;
}

}  // namespace

bool Proxy::serves(const Url& url) const {
  return !host.empty() && std::ranges::none_of(exceptions, [&](const std::string& entry) {
    return is_exception(entry, url);
  });
}

std::string Proxy::authorization() const {
  if (user.empty()) return {};
  return "Proxy-Authorization: Basic " + encode_base64(user + ":" + password) + "\r\n";
}

Proxy choose_proxy(const std::function<std::string(std::string_view)>& setting) {
  const auto given = [&setting](std::string_view name) {
    const std::string value = setting(name);
    return value == "none" ? std::string() : value;
  };
  const char* const from_environment = variable("http_proxy", "HTTP_PROXY");
  Proxy proxy = from_environment == nullptr ? Proxy() : read_proxy(from_environment);
  if (proxy.host.empty()) {
    proxy.host = given("http_proxy_host");
    const std::string port = given("http_proxy_port");
    std::from_chars(port.data(), port.data() + port.size(), proxy.port);
  }
  if (proxy.host.empty()) return {};
  if (proxy.user.empty()) proxy.user = given("http_proxy_user");
  if (proxy.password.empty() && !given("http_proxy_user").empty()) {
    proxy.password = given("http_proxy_password");
  }
  const char* const exceptions = variable("no_proxy", "NO_PROXY");
  proxy.exceptions = split_exceptions(exceptions != nullptr ? exceptions : given("no_proxy"));
  return proxy;
}

}  // namespace bunraku::net
