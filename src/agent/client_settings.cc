// Settings of HTTP clients.
#include "agent/client_settings.h"

#include <chrono>
#include <iostream>

#include "net/proxy.h"

namespace bunraku::agent {

net::ClientSettings client_settings(const Settings& settings) {
  net::ClientSettings client;
  client.tls.ciphers = settings.text("ciphers");
  client.connect_timeout = std::chrono::seconds(settings.integer("http_connect_timeout"));
  client.read_timeout = std::chrono::seconds(settings.integer("http_read_timeout"));
  client.idle = std::chrono::seconds(settings.integer("http_keepalive_timeout"));
  client.proxy = net::choose_proxy([&](std::string_view name) { return settings.text(name); });
  client.source_address = settings.text("sourceaddress");
  if (settings.is_true("http_debug")) {
    client.observer = [](const std::string& line) { std::cerr << line + "\n" << std::flush; };
  }
  return client;
}

}  // namespace bunraku::agent
