// Parsing of DHCP leases.
#include "facts/dhcp.h"

#include <array>

#include "facts/text.h"

namespace bunraku::facts {
namespace {

std::string after_key(const std::string& text, std::string_view key, std::string_view end) {
  const size_t at = text.find(key);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(text).substr(at + key.size());
  return std::string(rest.substr(0, rest.find_first_of(end)));
}

constexpr std::array<std::string_view, 5> kLeaseDirectories = {
    "/var/lib/dhclient/", "/var/lib/dhcp/", "/var/lib/dhcp3/", "/var/lib/NetworkManager/",
    "/var/db/"};

// A lease names its interface on a separate line.
bool is_lease_of(std::string_view text, const std::string& interface) {
  for (const std::string_view line : lines(text)) {
    const size_t at = line.find("interface");
    if (at != std::string_view::npos && contains(line.substr(at), interface)) return true;
  }
  return false;
}

std::string dhclient_server(const Machine& machine, const std::string& interface) {
  for (const std::string_view directory : kLeaseDirectories) {
    for (const std::string& name : machine.names(directory)) {
      const size_t at = name.find("dhclient");
      if (at == std::string::npos || name.find(".lease", at) == std::string::npos) continue;
      const std::string text = machine.text(std::string(directory) + name);
      if (!is_lease_of(text, interface)) continue;
      const std::string server = after_key(text, "dhcp-server-identifier ", ";\r\n");
      if (!server.empty()) return server;
    }
  }
  return {};
}

std::string network_manager_server(const Machine& machine, const std::string& interface) {
  constexpr std::string_view kDirectory = "/var/lib/NetworkManager/";
  for (const std::string& name : machine.names(kDirectory)) {
    if (!contains(name, "internal") || !contains(name, interface + ".lease")) continue;
    return after_key(machine.text(std::string(kDirectory) + name), "SERVER_ADDRESS=", "\r\n");
  }
  return {};
}

}  // namespace

std::string dhcp_server(const Machine& machine, const std::string& interface,
                        const std::string& index) {
  if (!index.empty()) {
    const std::string lease = machine.text("/run/systemd/netif/leases/" + index);
    const std::string server = after_key(lease, "SERVER_ADDRESS=", "\r\n");
    if (!server.empty()) return server;
  }
  const std::string server = dhclient_server(machine, interface);
  return server.empty() ? network_manager_server(machine, interface) : server;
}

}  // namespace bunraku::facts
