// Private keys.
#include <openssl/ec.h>
#include <openssl/rsa.h>

#include "certificates/openssl.h"

namespace bunraku::certificates {

using openssl::Owned;

Key Key::generate(const KeyOptions& options) {
  EVP_PKEY* key =
      options.is_elliptic
          ? EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", options.curve.c_str())
          : EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", static_cast<size_t>(options.bits));
  if (key == nullptr) openssl::fail("A key could not be generated");
  return Key(std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free));
}

Key Key::from_pem(std::string_view text) {
  const Owned<BIO> bio = openssl::reader(text);
  // Otherwise OpenSSL would ask for the password of a protected key on the terminal.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr);
  if (key == nullptr) openssl::fail("The private key cannot be read");
  return Key(std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free));
}

std::string Key::private_pem() const {
  const Owned<BIO> bio = openssl::writer();
  openssl::check(PEM_write_bio_PrivateKey_traditional(bio.get(), key_.get(), nullptr, nullptr, 0,
                                                      nullptr, nullptr),
                 "The private key cannot be written");
  return openssl::text_of(bio.get());
}

std::string Key::public_pem() const {
  const Owned<BIO> bio = openssl::writer();
  openssl::check(PEM_write_bio_PUBKEY(bio.get(), key_.get()), "The public key cannot be written");
  return openssl::text_of(bio.get());
}

bool Key::belongs_to(x509_st* certificate) const {
  const bool belongs = X509_check_private_key(certificate, key_.get()) == 1;
  ERR_clear_error();
  return belongs;
}

}  // namespace bunraku::certificates
