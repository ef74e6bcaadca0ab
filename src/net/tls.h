// TLS for servers and clients: versions 1.2 and 1.3, with verification against revocation lists.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct ssl_st;
struct x509_st;

namespace bunraku::net {

enum class ClientAuthentication : uint8_t {
  kNone,    // not requested
  kWanted,  // requested; a client without one is accepted, one with an invalid one is not
  kNeeded
};

// PEM texts; empty ones are ignored.
struct TlsSettings {
  std::string certificate;  // the leaf and its chain
  std::string key;
  std::string authorities;  // trusted certificates, roots and intermediates
  std::string revocations;  // one list per authority
  // Without lists nothing is checked; otherwise every authority of a chain needs one.
  bool checks_revocation = true;
  // For servers. Clients always verify the server, unless verifies_server is false.
  ClientAuthentication client_authentication = ClientAuthentication::kWanted;
  bool verifies_server = true;
  bool uses_system_authorities = false;  // for clients: in addition to `authorities`
  std::string ciphers;  // for version 1.2, by their OpenSSL names; empty: strong ones
};

// Keys, certificates and verification, shared by connections. Immutable and thread-safe.
class TlsContext {
 public:
  enum class Side : uint8_t { kServer, kClient };
  // Throws NetError (kConfiguration) for unreadable texts and for a key that does not match.
  TlsContext(Side side, const TlsSettings& settings);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // The caller owns the result (SSL_free). Throws NetError.
  ssl_st* make_connection() const;
  // Returns whether a client's certificate (DER) would be accepted now. For connections that were
  // made before the revocation lists changed.
  bool accepts_client(std::string_view certificate_der) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Returns OpenSSL's error queue of this thread as text, and clears it.
std::string tls_error_text();
// The certificate of the other side, DER; empty when it has none.
std::string peer_certificate_of(const ssl_st* connection);

}  // namespace bunraku::net
