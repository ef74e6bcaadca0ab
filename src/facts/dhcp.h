// Which server has given an interface its address.
#pragma once

#include <string>

#include "facts/machine.h"

namespace bunraku::facts {

// The address of the DHCP server of an interface, from the leases that networkd, dhclient and
// NetworkManager keep; empty when there is none. `index` is the interface's number.
std::string dhcp_server(const Machine& machine, const std::string& interface,
                        const std::string& index);

}  // namespace bunraku::facts
