// The proxy that requests pass through, and the hosts that are asked directly.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/url.h"

namespace bunraku::net {

struct Proxy {
  std::string host;  // empty: there is none
  uint16_t port = 0;
  // Sent as they stand, as the reference does: escapes of a URL are not decoded.
  std::string user;  // empty: the proxy asks for none
  std::string password;
  std::vector<std::string> exceptions;  // "localhost", ".example.com", "*.example.com:8140"

  // False also for hosts that an exception matches. An exception is the end of a host's name, in
  // which each "*" stands for any characters, with a port when it holds for that port alone.
  bool serves(const Url& url) const;
  // The line of a header with user and password; empty without a user.
  std::string authorization() const;
};

// The proxy that the environment (http_proxy, HTTP_PROXY) names, for https too, or else the
// settings http_proxy_host and the like, whose values `setting` returns by their names. What a URL
// in the environment lacks comes from the settings. Exceptions are those of the environment
// (no_proxy, NO_PROXY) or else of the setting no_proxy. "none" is the settings' word for no value.
Proxy choose_proxy(const std::function<std::string(std::string_view)>& setting);

}  // namespace bunraku::net
