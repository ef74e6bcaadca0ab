// What the settings say of connections to other hosts: limits of time, proxies, ciphers, the own
// address.
#pragma once

#include "net/http_client.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

// With http_debug, what is sent and received is shown on the error output, credentials left out.
// Certificates and keys are the caller's to add. Any thread may call it.
net::ClientSettings client_settings(const Settings& settings);

}  // namespace bunraku::agent
