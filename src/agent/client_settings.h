// Settings of connections to other hosts: time limits, proxies, ciphers, the local address.
#pragma once

#include "net/http_client.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

// With http_debug, the connection's traffic is shown on standard error, without credentials.
// Callers add certificates and keys. Safe from any thread.
net::ClientSettings client_settings(const Settings& settings);

}  // namespace bunraku::agent
