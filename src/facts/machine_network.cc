// Interfaces and routes from the kernel.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>

#include "base/system/descriptor.h"
#include "facts/machine.h"

namespace bunraku::facts {
namespace {

std::string address_text(int family, const void* bytes) {
  std::array<char, INET6_ADDRSTRLEN> text;
  return inet_ntop(family, bytes, text.data(), text.size()) == nullptr ? std::string()
                                                                       : text.data();
}

std::string ip_text(const sockaddr* address) {
  if (address == nullptr) return {};
  if (address->sa_family == AF_INET) {
    return address_text(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
  }
  if (address->sa_family == AF_INET6) {
    return address_text(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
  }
  return {};
}

std::string link_text(const sockaddr* address) {
  const auto* link = reinterpret_cast<const sockaddr_ll*>(address);
  std::string text;
  // An InfiniBand address is longer than this field and extends beyond it.
  const auto* bytes =
      reinterpret_cast<const unsigned char*>(address) + offsetof(sockaddr_ll, sll_addr);
  for (unsigned char at = 0; at < link->sll_halen; ++at) {
    fmt::format_to(std::back_inserter(text), "{}{:02x}", at == 0 ? "" : ":", bytes[at]);
  }
  return text;
}

InterfaceAddress address_of(const ifaddrs& entry) {
  InterfaceAddress address;
  address.interface = entry.ifa_name;
  if (entry.ifa_addr == nullptr) return address;
  switch (entry.ifa_addr->sa_family) {
    case AF_PACKET:
      address.family = InterfaceAddress::Family::kLink;
      address.address = link_text(entry.ifa_addr);
      break;
    case AF_INET:
      address.family = InterfaceAddress::Family::kIpv4;
      break;
    case AF_INET6:
      address.family = InterfaceAddress::Family::kIpv6;
      break;
    default:
      return address;
  }
  if (address.family != InterfaceAddress::Family::kLink) {
    address.address = ip_text(entry.ifa_addr);
    address.netmask = ip_text(entry.ifa_netmask);
  }
  return address;
}

// A netlink request for all routes of an address family, and its answers.
class RouteDump {
 public:
  RouteDump() : socket_(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)) {
    const timeval limit{1, 0};
    if (socket_.is_open())
      setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  }

  void read(unsigned char family, std::vector<SourceRoute>& to) {
    if (!socket_.is_open() || !ask(family)) return;
    alignas(nlmsghdr) std::array<char, 32768> buffer;
    for (;;) {
      const ssize_t size = recv(socket_.number(), buffer.data(), buffer.size(), 0);
      if (size <= 0) return;
      auto rest = static_cast<unsigned int>(size);
      for (auto* message = reinterpret_cast<nlmsghdr*>(buffer.data()); NLMSG_OK(message, rest);
           message = NLMSG_NEXT(message, rest)) {
        if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) return;
        if (message->nlmsg_type == RTM_NEWROUTE) add(*message, to);
      }
    }
  }

 private:
  bool ask(unsigned char family) const {
    struct {
      nlmsghdr header;
      rtmsg route;
    } request{};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = RTM_GETROUTE;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.route.rtm_family = family;
    return send(socket_.number(), &request, sizeof request, 0) ==
           static_cast<ssize_t>(sizeof request);
  }

  static void add(nlmsghdr& message, std::vector<SourceRoute>& to) {
    auto* route = static_cast<rtmsg*>(NLMSG_DATA(&message));
    if (route->rtm_table != RT_TABLE_MAIN || (route->rtm_flags & RTM_F_CLONED) != 0 ||
        (route->rtm_flags & RTNH_F_LINKDOWN) != 0) {
      return;
    }
    SourceRoute found;
    found.is_ipv6 = route->rtm_family == AF_INET6;
    auto size = static_cast<unsigned int>(RTM_PAYLOAD(&message));
    for (rtattr* part = RTM_RTA(route); RTA_OK(part, size); part = RTA_NEXT(part, size)) {
      if (part->rta_type == RTA_PREFSRC) {
        found.address = address_text(route->rtm_family, RTA_DATA(part));
      } else if (part->rta_type == RTA_OIF && RTA_PAYLOAD(part) == sizeof(unsigned int)) {
        unsigned int index;
        std::memcpy(&index, RTA_DATA(part), sizeof index);
        std::array<char, IF_NAMESIZE> name;
        if (if_indextoname(index, name.data()) != nullptr) found.interface = name.data();
      }
    }
    if (!found.address.empty() && !found.interface.empty()) to.push_back(std::move(found));
  }

  Descriptor socket_;
};

}  // namespace

std::vector<InterfaceAddress> Machine::interface_addresses() const {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> guard(first, freeifaddrs);
  std::vector<InterfaceAddress> addresses;
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    addresses.push_back(address_of(*entry));
  }
  return addresses;
}

std::optional<uint64_t> Machine::interface_mtu(const std::string& interface) const {
  // sysfs would show the network namespace in which it was mounted.
  ifreq request{};
  // The label of an address ("eth0:1") is not an interface.
  if (interface.size() >= sizeof request.ifr_name || interface.find(':') != std::string::npos) {
    return std::nullopt;
  }
  interface.copy(request.ifr_name, interface.size());
  const Descriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (ioctl(any.number(), SIOCGIFMTU, &request) != 0) return std::nullopt;
  return static_cast<uint64_t>(request.ifr_mtu);
}

std::vector<SourceRoute> Machine::source_routes() const {
  std::vector<SourceRoute> routes;
  RouteDump dump;
  dump.read(AF_INET, routes);
  dump.read(AF_INET6, routes);
  return routes;
}

}  // namespace bunraku::facts
