// Verifies a host's certificate, and formats certificates for people.
#include "certificates/verification.h"

#include "certificates/openssl.h"

namespace bunraku::certificates {

using openssl::check;
using openssl::Owned;

namespace {

// "CN=a,O=b"
std::string shown_name(const X509_NAME* name) {
  const Owned<BIO> text = openssl::writer();
  X509_NAME_print_ex(text.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
  return openssl::text_of(text.get());
}

std::string problem_of(X509_STORE_CTX* context) {
  const int error = X509_STORE_CTX_get_error(context);
  X509* const certificate = X509_STORE_CTX_get_current_cert(context);
  if (certificate == nullptr) return X509_verify_cert_error_string(error);
  const std::string subject = shown_name(X509_get_subject_name(certificate));
  const std::string issuer = shown_name(X509_get_issuer_name(certificate));
  switch (error) {
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "The certificate '" + subject + "' is not yet valid, verify time is synchronized";
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "The certificate '" + subject + "' has expired, verify time is synchronized";
    case X509_V_ERR_CRL_NOT_YET_VALID:
      return "The CRL issued by '" + issuer + "' is not yet valid, verify time is synchronized";
    case X509_V_ERR_CRL_HAS_EXPIRED:
      return "The CRL issued by '" + issuer + "' has expired, verify time is synchronized";
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return "Invalid signature for certificate '" + subject + "'";
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
      return "Invalid signature for CRL issued by '" + issuer + "'";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
      return "The issuer '" + issuer + "' of certificate '" + subject + "' is missing";
    case X509_V_ERR_UNABLE_TO_GET_CRL:
      return "The CRL issued by '" + issuer + "' is missing";
    case X509_V_ERR_CERT_REVOKED:
      return "Certificate '" + subject + "' is revoked";
    default:
      return "Certificate '" + subject + "' failed verification (" + std::to_string(error) +
             "): " + X509_verify_cert_error_string(error);
  }
}

Owned<X509_STORE> store_of(const std::vector<Certificate>& authorities, std::string_view lists_pem,
                           RevocationCheck revocation) {
  Owned<X509_STORE> store(X509_STORE_new());
  for (const Certificate& authority : authorities) {
    X509_STORE_add_cert(store.get(), authority.get());
  }
  X509_STORE_set_purpose(store.get(), X509_PURPOSE_ANY);
  unsigned long flags = X509_V_FLAG_CHECK_SS_SIGNATURE;
  if (revocation != RevocationCheck::kNone) {
    const Owned<BIO> bio = openssl::reader(lists_pem);
    while (X509_CRL* list = PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr)) {
      X509_STORE_add_crl(store.get(), list);
      X509_CRL_free(list);
    }
    flags |= X509_V_FLAG_CRL_CHECK;
    if (revocation == RevocationCheck::kChain) flags |= X509_V_FLAG_CRL_CHECK_ALL;
  }
  X509_STORE_set_flags(store.get(), flags);
  ERR_clear_error();
  return store;
}

const EVP_MD* digest_named(const std::string& algorithm) {
  const EVP_MD* digest = EVP_get_digestbyname(algorithm.c_str());
  if (digest == nullptr) {
    throw CertificateError("Unsupported digest algorithm (" + algorithm + ").");
  }
  return digest;
}

}  // namespace

std::vector<Certificate> verified_chain(const Certificate& certificate,
                                        const std::vector<Certificate>& authorities,
                                        std::string_view lists_pem, RevocationCheck revocation) {
  const Owned<X509_STORE> store = store_of(authorities, lists_pem, revocation);
  const Owned<X509_STORE_CTX> context(X509_STORE_CTX_new());
  check(X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr),
        "Verification");
  const bool is_good = X509_verify_cert(context.get()) == 1;
  ERR_clear_error();
  if (!is_good &&
      X509_STORE_CTX_get_error(context.get()) != X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY) {
    throw CertificateError(problem_of(context.get()));
  }
  std::vector<Certificate> chain;
  STACK_OF(X509)* const found = X509_STORE_CTX_get0_chain(context.get());
  for (int i = 0; found != nullptr && i < sk_X509_num(found); ++i) {
    X509* link = sk_X509_value(found, i);
    X509_up_ref(link);
    chain.emplace_back(std::shared_ptr<X509>(link, X509_free));
  }
  return chain;
}

std::string subject_text(const Certificate& certificate) {
  return shown_name(X509_get_subject_name(certificate.get()));
}

std::string full_text(const Certificate& certificate) {
  const Owned<BIO> text = openssl::writer();
  check(X509_print(text.get(), certificate.get()), "The certificate cannot be shown");
  return openssl::text_of(text.get());
}

std::string fingerprint_digits(const std::string& algorithm, std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  check(EVP_Digest(bytes.data(), bytes.size(), digest, &size, digest_named(algorithm), nullptr),
        "Digest");
  return openssl::fingerprint_text(digest, size);
}

std::string fingerprint_line(const std::string& algorithm, std::string_view bytes) {
  const char* known = EVP_MD_get0_name(digest_named(algorithm));
  std::string name(known);
  // OpenSSL's SHA2-256 is the reference's SHA256.
  if (name.starts_with("SHA2-")) name.erase(3, 2);
  return "(" + name + ") " + fingerprint_digits(algorithm, bytes);
}

std::string der_of_pem(std::string_view pem) {
  const Owned<BIO> bio = openssl::reader(pem);
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  if (PEM_read_bio(bio.get(), &name, &header, &data, &size) != 1) {
    openssl::fail("The PEM text cannot be read");
  }
  std::string bytes(reinterpret_cast<char*>(data), static_cast<size_t>(size));
  OPENSSL_free(name);
  OPENSSL_free(header);
  OPENSSL_free(data);
  return bytes;
}

}  // namespace bunraku::certificates
