// The authority that `bunraku ca` manages: files of this host, or a server.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "certificates/authority.h"
#include "server/configuration.h"

namespace bunraku {

// The actions that both support. All throw CertificateError when the authority refuses.
class CaAccess {
 public:
  virtual ~CaAccess() = default;
  // Requests and certificates in a state; without a state, in any.
  virtual std::vector<certificates::CertificateStatus> statuses(
      std::optional<certificates::CertificateState> state) = 0;
  virtual void sign(const std::string& name, std::optional<int64_t> ttl) = 0;
  // Returns the names that have no certificate.
  virtual std::vector<std::string> revoke(const std::vector<std::string>& names) = 0;
  // Removes the certificate and the request; returns false when there was neither.
  virtual bool remove(const std::string& name) = 0;
};

// Throws CertificateError when there is no authority.
std::unique_ptr<CaAccess> local_authority(const server::Configuration& configuration);
// `server` is HOST or HOST:PORT (default 8140). Uses the certificate of this host, which needs the
// extension pp_cli_auth. Throws CertificateError for an unreachable server.
std::unique_ptr<CaAccess> remote_authority(const server::Configuration& configuration,
                                           const std::string& server);

}  // namespace bunraku
