// The authority that `bunraku ca` works on: the files of this host, or a server over the network.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "certificates/authority.h"
#include "server/configuration.h"

namespace bunraku {

// What can be done either way. All throw CertificateError for what the authority refuses.
class CaAccess {
 public:
  virtual ~CaAccess() = default;
  // Without a state: all. Requests and certificates.
  virtual std::vector<certificates::CertificateStatus> statuses(
      std::optional<certificates::CertificateState> state) = 0;
  virtual void sign(const std::string& name, std::optional<int64_t> ttl) = 0;
  // Names without a certificate are returned.
  virtual std::vector<std::string> revoke(const std::vector<std::string>& names) = 0;
  // The certificate and the request; false when there was neither.
  virtual bool remove(const std::string& name) = 0;
};

// Throws CertificateError when there is no authority.
std::unique_ptr<CaAccess> local_authority(const server::Configuration& configuration);
// `server` is HOST or HOST:PORT (8140 when nothing is said). Asks with the certificate of this
// host, which needs the extension pp_cli_auth. Throws CertificateError for servers that cannot be
// asked.
std::unique_ptr<CaAccess> remote_authority(const server::Configuration& configuration,
                                           const std::string& server);

}  // namespace bunraku
