// The addresses by which other machines know this one.
#pragma once

#include <string>

namespace bunraku {

struct HostAddresses {
  std::string ipv4;  // empty when there is none
  std::string ipv6;
};

// Of the interface that the default route uses; of the first with an address where there is no such
// route. Addresses of the machine itself and of its link alone do not count.
HostAddresses host_addresses();

}  // namespace bunraku
