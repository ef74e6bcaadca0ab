// The host's names, its interfaces with addresses, and its primary interface.
#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "facts/collection.h"
#include "facts/dhcp.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

using Family = InterfaceAddress::Family;

// The 4 or 16 bytes of an address; empty for other text.
std::vector<unsigned char> bytes_of(const std::string& address) {
  std::vector<unsigned char> bytes(16);
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return bytes;
  bytes.resize(4);
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return bytes;
  return {};
}

std::string text_of(const std::vector<unsigned char>& bytes) {
  std::array<char, INET6_ADDRSTRLEN> text;
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  return inet_ntop(family, bytes.data(), text.data(), text.size()) == nullptr ? std::string()
                                                                              : text.data();
}

std::string network_of(const std::string& address, const std::string& netmask) {
  std::vector<unsigned char> bytes = bytes_of(address);
  const std::vector<unsigned char> mask = bytes_of(netmask);
  if (bytes.empty() || bytes.size() != mask.size()) return {};
  for (size_t at = 0; at < bytes.size(); ++at) bytes[at] &= mask[at];
  return text_of(bytes);
}

std::string scope_of(const std::string& address) {
  in6_addr parsed;
  if (inet_pton(AF_INET6, address.c_str(), &parsed) != 1) return {};
  const std::string scope = IN6_IS_ADDR_V4COMPAT(&parsed) != 0 ? "compat," : "";
  if (IN6_IS_ADDR_LINKLOCAL(&parsed) != 0) return scope + "link";
  if (IN6_IS_ADDR_SITELOCAL(&parsed) != 0) return scope + "site";
  if (IN6_IS_ADDR_LOOPBACK(&parsed) != 0) return scope + "host";
  return scope + "global";
}

// Returns whether the address is only reachable within the machine, link or site.
bool is_ignored(const std::string& address) {
  const std::vector<unsigned char> bytes = bytes_of(address);
  if (bytes.empty()) return true;
  if (bytes.size() == 4) return bytes[0] == 127 || (bytes[0] == 169 && bytes[1] == 254);
  const bool is_loopback =
      std::all_of(bytes.begin(), bytes.end() - 1, [](unsigned char byte) { return byte == 0; }) &&
      bytes.back() == 1;
  const bool is_link_local = bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
  const bool is_unique_local = (bytes[0] & 0xfe) == 0xfc;
  return is_loopback || is_link_local || is_unique_local;
}

struct Binding {
  std::string address;
  std::string netmask;
  std::string network;
  std::string scope;  // for IPv6
  std::optional<std::vector<std::string_view>> flags;
};

struct Interface {
  std::string name;
  std::string mac;
  std::optional<uint64_t> mtu;
  std::string dhcp;
  std::vector<Binding> bindings;
  std::vector<Binding> bindings6;
};

bool is_link_address(std::string_view address) {
  return address.size() >= 17 && (address.size() + 1) % 3 == 0 && address != "00:00:00:00:00:00" &&
         address.find_first_not_of("0123456789abcdefABCDEF:-") == std::string_view::npos;
}

// The own address of an interface in a bond, which it does not show meanwhile.
std::string bonded_address(const Machine& machine, const std::string& name) {
  const std::string master(
      after_last_slash(machine.link_target("/sys/class/net/" + name + "/master")));
  if (master.empty()) return {};
  bool is_ours = false;
  const std::string text = machine.text("/proc/net/bonding/" + master);
  for (const std::string_view line : lines(text)) {
    constexpr std::string_view kAddress = "Permanent HW addr: ";
    if (contains(line, "Slave Interface")) is_ours = stripped(line) == "Slave Interface: " + name;
    if (!is_ours || !line.starts_with(kAddress)) continue;
    return std::string(stripped(line.substr(kAddress.size())));
  }
  return {};
}

void add_binding(Interface& interface, const InterfaceAddress& address) {
  if (address.address.empty() || address.netmask.empty()) return;
  Binding binding{address.address,
                  address.netmask,
                  network_of(address.address, address.netmask),
                  {},
                  std::nullopt};
  if (address.family == Family::kIpv6) {
    binding.scope = scope_of(address.address);
    interface.bindings6.push_back(std::move(binding));
  } else {
    interface.bindings.push_back(std::move(binding));
  }
}

Interface& interface_named(std::vector<Interface>& interfaces, const std::string& name) {
  const auto found = std::ranges::find(interfaces, name, &Interface::name);
  if (found != interfaces.end()) return *found;
  interfaces.emplace_back().name = name;
  return interfaces.back();
}

// Adds the source addresses of routes that the interface lacks.
void add_route_sources(const Machine& machine, std::vector<Interface>& interfaces) {
  for (const SourceRoute& route : machine.source_routes()) {
    const auto found = std::ranges::find(interfaces, route.interface, &Interface::name);
    if (found == interfaces.end()) continue;
    std::vector<Binding>& bindings = route.is_ipv6 ? found->bindings6 : found->bindings;
    const auto is_same = [&](const Binding& binding) { return binding.address == route.address; };
    if (std::ranges::none_of(bindings, is_same)) {
      bindings.push_back({route.address, {}, {}, {}, std::nullopt});
    }
  }
}

constexpr std::array<std::pair<unsigned int, std::string_view>, 8> kAddressFlags = {
    {{0x01, "temporary"},
     {0x02, "noad"},
     {0x04, "optimistic"},
     {0x08, "dadfailed"},
     {0x10, "homeaddress"},
     {0x20, "deprecated"},
     {0x40, "tentative"},
     {0x80, "permanent"}}};

// Adds colons to the digits of an address in /proc/net/if_inet6.
std::string address_of_digits(std::string_view digits) {
  std::string text;
  for (size_t at = 0; at < digits.size(); ++at) {
    if (at > 0 && at % 4 == 0) text.push_back(':');
    text.push_back(digits[at]);
  }
  return text_of(bytes_of(text));
}

unsigned int hexadecimal(std::string_view digits) {
  return static_cast<unsigned int>(std::strtoul(std::string(digits).c_str(), nullptr, 16));
}

void add_address_flags(const Machine& machine, std::vector<Interface>& interfaces) {
  const std::string table = machine.text("/proc/net/if_inet6");
  for (const std::string_view line : lines(table)) {
    const auto parts = words(line);
    if (parts.size() != 6 || parts[0].size() != 32) continue;
    const auto found = std::ranges::find(interfaces, parts[5], &Interface::name);
    if (found == interfaces.end()) continue;
    const std::string address = address_of_digits(parts[0]);
    std::vector<std::string_view> names;
    for (const auto& [bit, name] : kAddressFlags) {
      if ((hexadecimal(parts[4]) & bit) != 0) names.push_back(name);
    }
    for (Binding& binding : found->bindings6) {
      if (binding.address == address) binding.flags = names;
    }
  }
}

std::vector<Interface> read_interfaces(const Machine& machine) {
  std::vector<Interface> interfaces;
  for (const InterfaceAddress& address : machine.interface_addresses()) {
    Interface& interface = interface_named(interfaces, address.interface);
    if (interface.mac.empty()) {
      interface.mac = bonded_address(machine, interface.name);
      if (interface.mac.empty() && address.family == Family::kLink) interface.mac = address.address;
      if (!is_link_address(interface.mac)) interface.mac.clear();
    }
    if (address.family == Family::kIpv4 || address.family == Family::kIpv6) {
      add_binding(interface, address);
    }
  }
  for (Interface& interface : interfaces) {
    interface.mtu = machine.interface_mtu(interface.name);
    interface.dhcp =
        dhcp_server(machine, interface.name,
                    machine.stripped_text("/sys/class/net/" + interface.name + "/ifindex"));
  }
  add_route_sources(machine, interfaces);
  return interfaces;
}

const Interface* primary_interface(const Machine& machine,
                                   const std::vector<Interface>& interfaces) {
  const std::string table = machine.text("/proc/net/route");
  bool is_heading = true;
  for (const std::string_view line : lines(table)) {
    const auto parts = words(line);
    if (!std::exchange(is_heading, false) && parts.size() > 7 && parts[1] == "00000000" &&
        parts[7] == "00000000" && parts[0] != "*") {
      const auto found = std::ranges::find(interfaces, parts[0], &Interface::name);
      return found == interfaces.end() ? nullptr : &*found;
    }
  }
  for (const Interface& interface : interfaces) {
    for (const auto* bindings : {&interface.bindings, &interface.bindings6}) {
      const auto is_usable = [](const Binding& binding) { return !is_ignored(binding.address); };
      if (std::ranges::any_of(*bindings, is_usable)) return &interface;
    }
  }
  return nullptr;
}

const Binding& main_binding(const std::vector<Binding>& bindings) {
  const auto found = std::ranges::find_if(
      bindings, [](const Binding& binding) { return !is_ignored(binding.address); });
  return found == bindings.end() ? bindings.front() : *found;
}

DataNode bindings_fact(Collection& collection, const std::vector<Binding>& bindings) {
  std::vector<DataNode> items;
  Arena& arena = collection.facts().arena();
  for (const Binding& binding : bindings) {
    HashFact hash = collection.hash();
    hash.set_text("address", binding.address);
    hash.set_text("netmask", binding.netmask);
    hash.set_text("network", binding.network);
    hash.set_text("scope6", binding.scope);
    if (binding.flags) {
      std::vector<DataNode> flags;
      for (const std::string_view flag : *binding.flags) {
        flags.push_back(collection.facts().text(flag));
      }
      hash.set("flags", DataNode::array(arena.copy(std::span<const DataNode>(flags))));
    }
    items.push_back(hash.finish());
  }
  return DataNode::array(arena.copy(std::span<const DataNode>(items)));
}

// Sets the parts that the host takes from its primary interface.
void set_main_parts(HashFact& to, const Interface& interface) {
  to.set_text("dhcp", interface.dhcp);
  if (!interface.bindings.empty()) {
    const Binding& binding = main_binding(interface.bindings);
    to.set_text("ip", binding.address);
    to.set_text("netmask", binding.netmask);
    to.set_text("network", binding.network);
  }
  if (!interface.bindings6.empty()) {
    const Binding& binding = main_binding(interface.bindings6);
    to.set_text("ip6", binding.address);
    to.set_text("netmask6", binding.netmask);
    to.set_text("network6", binding.network);
    to.set_text("scope6", scope_of(binding.address));
  }
  to.set_text("mac", interface.mac);
  if (interface.mtu) to.set_integer("mtu", *interface.mtu);
}

// Adds the flat facts of an interface or, with an empty suffix, those of the host.
void add_legacy_parts(Collection& collection, const Interface& interface,
                      const std::string& suffix) {
  const auto add = [&](std::string_view name, const std::string& value) {
    collection.add_legacy(std::string(name) + suffix, value);
  };
  add("macaddress", interface.mac);
  if (!suffix.empty() && interface.mtu) collection.add_legacy("mtu" + suffix, *interface.mtu);
  if (!interface.bindings.empty()) {
    const Binding& binding = main_binding(interface.bindings);
    add("ipaddress", binding.address);
    add("netmask", binding.netmask);
    add("network", binding.network);
  }
  if (!interface.bindings6.empty()) {
    const Binding& binding = main_binding(interface.bindings6);
    add("ipaddress6", binding.address);
    add("netmask6", binding.netmask);
    add("network6", binding.network);
    add("scope6", scope_of(binding.address));
  }
}

void add_dhcp_servers(Collection& collection, const std::vector<Interface>& interfaces,
                      const Interface* primary) {
  HashFact servers = collection.hash();
  // As in the reference, the host's entry exists even without a server.
  servers.set("system", primary == nullptr || primary->dhcp.empty()
                            ? DataNode()
                            : collection.facts().text(primary->dhcp));
  for (const Interface& interface : interfaces) servers.set_text(interface.name, interface.dhcp);
  collection.facts().add("dhcp_servers", servers.finish(), FactKind::kLegacy);
}

void add_host_names(Collection& collection, HashFact& networking) {
  const Machine& machine = collection.machine();
  const std::string full = machine.host_name();
  if (full.empty()) return;
  const size_t dot = full.find('.', 1);
  const bool has_domain = dot != std::string::npos && dot + 1 < full.size();
  const std::string host = has_domain ? full.substr(0, dot) : full;
  std::string domain = has_domain ? full.substr(dot + 1) : std::string();
  std::string fqdn;
  if (domain.empty()) {
    fqdn = machine.canonical_name(host);
    if (fqdn.size() > host.size() + 1 && fqdn.starts_with(host + ".")) {
      domain = fqdn.substr(host.size() + 1);
    }
  }
  if (domain.empty()) {
    const std::string resolver = machine.text("/etc/resolv.conf");
    auto found = line_value(resolver, "domain");
    if (!found) found = line_value(resolver, "search");
    if (found) domain = words(*found).front();
  }
  if (fqdn.empty()) fqdn = domain.empty() ? host : host + "." + domain;
  collection.set_both(networking, "hostname", "hostname", host);
  collection.set_both(networking, "domain", "domain", domain);
  collection.set_both(networking, "fqdn", "fqdn", fqdn);
}

DataNode interface_fact(Collection& collection, const Interface& interface) {
  HashFact hash = collection.hash();
  if (!interface.bindings.empty()) {
    hash.set("bindings", bindings_fact(collection, interface.bindings));
  }
  if (!interface.bindings6.empty()) {
    hash.set("bindings6", bindings_fact(collection, interface.bindings6));
  }
  set_main_parts(hash, interface);
  return hash.finish();
}

}  // namespace

void collect_networking(Collection& collection) {
  const Machine& machine = collection.machine();
  HashFact networking = collection.hash();
  add_host_names(collection, networking);
  std::vector<Interface> interfaces = read_interfaces(machine);
  const Interface* primary = primary_interface(machine, interfaces);
  add_address_flags(machine, interfaces);
  HashFact all = collection.hash();
  std::vector<std::string> names;
  for (const Interface& interface : interfaces) {
    all.set(interface.name, interface_fact(collection, interface));
    add_legacy_parts(collection, interface, "_" + interface.name);
    names.push_back(interface.name);
  }
  if (!interfaces.empty()) {
    networking.set_hash("interfaces", all);
    std::ranges::sort(names);
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    collection.add_legacy("interfaces", list);
    add_dhcp_servers(collection, interfaces, primary);
  }
  if (primary != nullptr) {
    networking.set_text("primary", primary->name);
    set_main_parts(networking, *primary);
    add_legacy_parts(collection, *primary, "");
  }
  collection.facts().add_hash("networking", networking);
}

}  // namespace bunraku::facts
