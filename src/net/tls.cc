// TLS contexts on OpenSSL.
#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <vector>

#include "net/message.h"

namespace bunraku::net {
namespace {

// Only ciphers with forward secrecy and authenticated encryption.
constexpr const char* kCiphersOf12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
    "DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-GCM-SHA384";

struct Free {
  void operator()(BIO* p) const { BIO_free(p); }
  void operator()(X509* p) const { X509_free(p); }
  void operator()(X509_CRL* p) const { X509_CRL_free(p); }
  void operator()(EVP_PKEY* p) const { EVP_PKEY_free(p); }
  void operator()(X509_STORE_CTX* p) const { X509_STORE_CTX_free(p); }
  void operator()(SSL_CTX* p) const { SSL_CTX_free(p); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

[[noreturn]] void fail(const std::string& what) {
  const std::string reason = tls_error_text();
  throw NetError(ErrorKind::kConfiguration, reason.empty() ? what : what + ": " + reason);
}

Owned<BIO> reader(const std::string& text) {
  return Owned<BIO>(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Reads objects until the end; any other failure is an error.
template <typename T, typename Read>
std::vector<Owned<T>> read_all(const std::string& text, const char* what, Read read) {
  std::vector<Owned<T>> objects;
  const Owned<BIO> bio = reader(text);
  while (T* object = read(bio.get())) objects.emplace_back(object);
  const unsigned long error = ERR_peek_last_error();
  if (ERR_GET_REASON(error) != PEM_R_NO_START_LINE) fail(std::string("The ") + what);
  ERR_clear_error();
  return objects;
}

std::vector<Owned<X509>> read_certificates(const std::string& text, const char* what) {
  return read_all<X509>(text, what,
                        [](BIO* bio) { return PEM_read_bio_X509(bio, nullptr, nullptr, nullptr); });
}

bool is_self_issued(X509* certificate) {
  return X509_NAME_cmp(X509_get_subject_name(certificate), X509_get_issuer_name(certificate)) == 0;
}

}  // namespace

struct TlsContext::State {
  Side side;
  Owned<SSL_CTX> context;

  void load_key(const TlsSettings& settings) const;
  void load_authorities(const TlsSettings& settings) const;
};

// Loads the leaf and the intermediates up to the root, which clients have.
void TlsContext::State::load_key(const TlsSettings& settings) const {
  std::vector<Owned<X509>> chain = read_certificates(settings.certificate, "certificate");
  if (chain.empty()) fail("The certificate is missing");
  if (SSL_CTX_use_certificate(context.get(), chain.front().get()) != 1) fail("The certificate");
  const bool is_alone = chain.size() == 1;
  if (is_alone) {
    for (Owned<X509>& authority : read_certificates(settings.authorities, "authorities")) {
      chain.push_back(std::move(authority));
    }
  }
  X509* last = chain.front().get();
  for (size_t i = 1; i < chain.size(); ++i) {
    X509* next = chain[i].get();
    if (is_self_issued(next)) continue;
    if (is_alone && X509_check_issued(next, last) != X509_V_OK) continue;
    if (SSL_CTX_add1_chain_cert(context.get(), next) != 1) fail("The certificate's chain");
    last = next;
  }
  const Owned<BIO> bio = reader(settings.key);
  const Owned<EVP_PKEY> key(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr));
  if (key == nullptr) fail("The private key");
  if (SSL_CTX_use_PrivateKey(context.get(), key.get()) != 1) {
    fail("The private key does not belong to the certificate");
  }
}

void TlsContext::State::load_authorities(const TlsSettings& settings) const {
  X509_STORE* store = SSL_CTX_get_cert_store(context.get());
  for (const Owned<X509>& authority : read_certificates(settings.authorities, "authorities")) {
    X509_STORE_add_cert(store, authority.get());
    if (side == Side::kServer) SSL_CTX_add_client_CA(context.get(), authority.get());
  }
  if (settings.uses_system_authorities) SSL_CTX_set_default_verify_paths(context.get());
  if (!settings.checks_revocation || settings.revocations.empty()) return;
  const auto lists = read_all<X509_CRL>(settings.revocations, "revocation list", [](BIO* bio) {
    return PEM_read_bio_X509_CRL(bio, nullptr, nullptr, nullptr);
  });
  for (const Owned<X509_CRL>& list : lists) X509_STORE_add_crl(store, list.get());
  X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
}

TlsContext::TlsContext(Side side, const TlsSettings& settings) : state_(new State{side, nullptr}) {
  ERR_clear_error();
  const bool is_server = side == Side::kServer;
  state_->context.reset(SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method()));
  SSL_CTX* context = state_->context.get();
  if (context == nullptr) fail("TLS");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  const char* ciphers = settings.ciphers.empty() ? kCiphersOf12 : settings.ciphers.c_str();
  if (SSL_CTX_set_cipher_list(context, ciphers) != 1) fail("The ciphers");
  SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
  // No session tickets: one that arrives after an answer makes a Ruby client believe that its idle
  // connection has data to read, and wait for them until the connection is closed.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  if (is_server) {
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_dh_auto(context, 1);
    static constexpr unsigned char kName[] = "bunraku";
    SSL_CTX_set_session_id_context(context, kName, sizeof kName - 1);
  }
  if (!settings.certificate.empty()) state_->load_key(settings);
  state_->load_authorities(settings);
  int mode = SSL_VERIFY_NONE;
  if (is_server && settings.client_authentication != ClientAuthentication::kNone) {
    mode = SSL_VERIFY_PEER;
    if (settings.client_authentication == ClientAuthentication::kNeeded) {
      mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
    }
  }
  if (!is_server && settings.verifies_server) mode = SSL_VERIFY_PEER;
  SSL_CTX_set_verify(context, mode, nullptr);
  SSL_CTX_set_verify_depth(context, 10);
}

TlsContext::~TlsContext() = default;

ssl_st* TlsContext::make_connection() const {
  SSL* connection = SSL_new(state_->context.get());
  if (connection == nullptr) fail("TLS");
  return connection;
}

bool TlsContext::accepts_client(std::string_view certificate_der) const {
  const auto* data = reinterpret_cast<const unsigned char*>(certificate_der.data());
  const Owned<X509> certificate(
      d2i_X509(nullptr, &data, static_cast<long>(certificate_der.size())));
  const Owned<X509_STORE_CTX> check(X509_STORE_CTX_new());
  if (certificate == nullptr || check == nullptr ||
      X509_STORE_CTX_init(check.get(), SSL_CTX_get_cert_store(state_->context.get()),
                          certificate.get(), nullptr) != 1) {
    ERR_clear_error();
    return false;
  }
  X509_STORE_CTX_set_purpose(check.get(), X509_PURPOSE_SSL_CLIENT);
  const bool is_accepted = X509_verify_cert(check.get()) == 1;
  ERR_clear_error();
  return is_accepted;
}

std::string tls_error_text() {
  std::string text;
  while (const unsigned long error = ERR_get_error()) {
    const char* reason = ERR_reason_error_string(error);
    if (!text.empty()) text += "; ";
    text += reason == nullptr ? "error " + std::to_string(error) : std::string(reason);
  }
  return text;
}

std::string peer_certificate_of(const ssl_st* connection) {
  const Owned<X509> certificate(SSL_get1_peer_certificate(connection));
  if (certificate == nullptr) return {};
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate.get(), &der);
  if (size <= 0) return {};
  std::string result(reinterpret_cast<const char*>(der), static_cast<size_t>(size));
  OPENSSL_free(der);
  return result;
}

}  // namespace bunraku::net
