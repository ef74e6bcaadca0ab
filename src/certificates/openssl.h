// Shared code of this room's files that use OpenSSL. Private to the room.
#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certificates/objects.h"

namespace bunraku::certificates::openssl {

struct Free {
  void operator()(BIO* p) const { BIO_free(p); }
  void operator()(BIGNUM* p) const { BN_free(p); }
  void operator()(char* p) const { OPENSSL_free(p); }
  void operator()(ASN1_STRING* p) const { ASN1_STRING_free(p); }  // and its other names
  void operator()(ASN1_OBJECT* p) const { ASN1_OBJECT_free(p); }
  void operator()(ASN1_TYPE* p) const { ASN1_TYPE_free(p); }
  void operator()(EVP_PKEY_CTX* p) const { EVP_PKEY_CTX_free(p); }
  void operator()(X509_NAME* p) const { X509_NAME_free(p); }
  void operator()(X509_EXTENSION* p) const { X509_EXTENSION_free(p); }
  void operator()(X509_REVOKED* p) const { X509_REVOKED_free(p); }
  void operator()(X509_STORE* p) const { X509_STORE_free(p); }
  void operator()(X509_STORE_CTX* p) const { X509_STORE_CTX_free(p); }
  void operator()(GENERAL_NAMES* p) const { GENERAL_NAMES_free(p); }
  void operator()(STACK_OF(X509_EXTENSION) * p) const {
    sk_X509_EXTENSION_pop_free(p, X509_EXTENSION_free);
  }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

// Throws CertificateError with OpenSSL's message.
[[noreturn]] void fail(const std::string& what, int status = 500);
// Throws unless the call has succeeded.
inline void check(int result, const char* what) {
  if (result != 1) fail(what);
}

Owned<BIO> reader(std::string_view text);
Owned<BIO> writer();
std::string text_of(BIO* bio);

// "/CN=a"
std::string name_text(const X509_NAME* name);
// The only common name; empty when there is none or several.
std::string common_name_of(const X509_NAME* name);
Owned<X509_NAME> name_of(const std::string& common_name);

std::string decimal_of(const ASN1_INTEGER* number);
Owned<ASN1_INTEGER> integer_of_decimal(const std::string& digits);
Owned<ASN1_INTEGER> integer_of_hex(const std::string& digits);
std::time_t time_of(const ASN1_TIME* time);

std::string identifier_text(const ASN1_OBJECT* object);
Owned<ASN1_OBJECT> object_of(const std::string& identifier);
// The text of a DER string of any kind; the bytes themselves for other content.
std::string string_value(std::string_view der);
// The identifier of an extension, and its value as text.
std::pair<std::string, std::string> extension_text(X509_EXTENSION* extension);
Owned<X509_EXTENSION> text_extension(const std::string& identifier, const std::string& value);
Owned<X509_EXTENSION> alternative_names_extension(const std::vector<std::string>& names);
std::vector<std::string> alternative_names_of(const GENERAL_NAMES* names);

std::string fingerprint_text(const unsigned char* bytes, unsigned size);

}  // namespace bunraku::certificates::openssl
