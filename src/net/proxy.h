// The proxy of requests, and the hosts that are contacted directly.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "net/url.h"

namespace bunraku::net {

struct Proxy {
  std::string host;  // empty: no proxy
  uint16_t port = 0;
  // Sent unchanged, as in the reference: escapes in the URL are not decoded.
  std::string user;  // empty: no authentication
  std::string password;
  std::vector<std::string> exceptions;  // "localhost", ".example.com", "*.example.com:8140"

  // Returns whether the proxy is used; false for hosts that match an exception. An exception is the
  // end of a host name, in which each "*" stands for any characters, with a port when it is only
  // for that port.
  bool serves(const Url& url) const;
  // The header line with user and password; empty without a user.
  std::string authorization() const;
};

// Determines the proxy from the environment (http_proxy, HTTP_PROXY; also for https), else from the
// settings http_proxy_host and so on; `setting` returns a setting by name. Settings also supply
// parts that the URL in the environment lacks. Exceptions are those of the environment (no_proxy,
// NO_PROXY) or else of the setting no_proxy. In settings, "none" means no value.
Proxy choose_proxy(const std::function<std::string(std::string_view)>& setting);

}  // namespace bunraku::net
