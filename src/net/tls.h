// TLS for servers and clients: versions 1.2 and 1.3, certificates checked against the lists of
// revoked ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct ssl_st;
struct x509_st;

namespace bunraku::net {

enum class ClientAuthentication : uint8_t {
  kNone,    // not asked for
  kWanted,  // asked for; a client without one is served, one with a bad one is not
  kNeeded
};

// PEM texts; empty ones are left out.
struct TlsSettings {
  std::string certificate;  // leaf, and what leads from it to a root
  std::string key;
  std::string authorities;  // trusted certificates, roots and intermediates
  std::string revocations;  // a list for each authority
  // With no lists nothing is looked up; otherwise every authority of a chain needs one.
  bool checks_revocation = true;
  // Servers: what is asked of clients. Clients always verify the server, unless this is false.
  ClientAuthentication client_authentication = ClientAuthentication::kWanted;
  bool verifies_server = true;
  bool uses_system_authorities = false;  // clients: beside `authorities`
  std::string ciphers;  // of version 1.2, as OpenSSL names them; empty: strong ones
};

// Keys, certificates and checks, shared by connections; immutable. Any thread may use it.
class TlsContext {
 public:
  enum class Side : uint8_t { kServer, kClient };
  // Throws NetError (kConfiguration) for texts that cannot be read and keys that do not belong.
  TlsContext(Side side, const TlsSettings& settings);
  ~TlsContext();
  TlsContext(const TlsContext&) = delete;
  TlsContext& operator=(const TlsContext&) = delete;

  // The caller owns the result (SSL_free). Throws NetError.
  ssl_st* make_connection() const;
  // Would a client's certificate (DER) be accepted now? For connections that were made before lists
  // of revocations changed.
  bool accepts_client(std::string_view certificate_der) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// OpenSSL's queue of errors of this thread as text; empties it.
std::string tls_error_text();
// The certificate that the other side has shown, DER; empty when it has none.
std::string peer_certificate_of(const ssl_st* connection);

}  // namespace bunraku::net
