#include "site/node/host_addresses.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <memory>
#include <string_view>
#include <vector>

#include "base/system/file_system.h"
#include "base/text/lists.h"

namespace bunraku {
namespace {

// Returns an empty name when there is no default route.
std::string interface_of_default_route() {
  std::string table;
  try {
    table = read_file("/proc/net/route");
  } catch (const FileError&) {
    return {};
  }
  // The name and the destination are the first two columns.
  for (const std::string& line : split_list(table, '\n')) {
    const std::vector<std::string> columns = split_list(line, '\t');
    if (columns.size() > 1 && columns[1] == "00000000") return columns[0];
  }
  return {};
}

std::string text_of(int family, const void* address) {
  char text[INET6_ADDRSTRLEN] = {};
  return inet_ntop(family, address, text, sizeof text) == nullptr ? std::string() : text;
}

// Returns an empty text for an address that is ignored.
std::string ipv4_of(const sockaddr* address) {
  if (address == nullptr || address->sa_family != AF_INET) return {};
  const std::string text =
      text_of(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
  return text.starts_with("127.") || text.starts_with("169.254.") ? std::string() : text;
}

std::string ipv6_of(const sockaddr* address) {
  if (address == nullptr || address->sa_family != AF_INET6) return {};
  const in6_addr& bytes = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  if (IN6_IS_ADDR_LOOPBACK(&bytes) || IN6_IS_ADDR_LINKLOCAL(&bytes)) return {};
  return text_of(AF_INET6, &bytes);
}

}  // namespace

HostAddresses host_addresses() {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(all, freeifaddrs);
  const std::string primary = interface_of_default_route();
  HostAddresses found;
  for (const ifaddrs* at = all; at != nullptr; at = at->ifa_next) {
    if (!primary.empty() && at->ifa_name != primary) continue;
    if (found.ipv4.empty()) found.ipv4 = ipv4_of(at->ifa_addr);
    if (found.ipv6.empty()) found.ipv6 = ipv6_of(at->ifa_addr);
  }
  return found;
}

}  // namespace bunraku
