// The addresses of this machine for other machines.
#pragma once

#include <string>

namespace bunraku {

struct HostAddresses {
  std::string ipv4;  // empty when there is none
  std::string ipv6;
};

// The addresses of the interface of the default route or, without one, of the first interface that
// has an address. Loopback and link-local addresses are ignored.
HostAddresses host_addresses();

}  // namespace bunraku
