// The DHCP server of an interface.
#pragma once

#include <string>

#include "facts/machine.h"

namespace bunraku::facts {

// Returns the address of an interface's DHCP server, from the leases of networkd, dhclient and
// NetworkManager; empty when there is none. `index` is the interface's number.
std::string dhcp_server(const Machine& machine, const std::string& interface,
                        const std::string& index);

}  // namespace bunraku::facts
