// Certificates: parsing, properties and issuing.
#include <algorithm>

#include "certificates/identifiers.h"
#include "certificates/openssl.h"

namespace bunraku::certificates {

using openssl::check;
using openssl::Owned;

Certificate Certificate::from_pem(std::string_view text) {
  const Owned<BIO> bio = openssl::reader(text);
  X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr);
  if (certificate == nullptr) openssl::fail("The certificate cannot be read", 400);
  return Certificate(std::shared_ptr<X509>(certificate, X509_free));
}

Certificate Certificate::from_der(std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  X509* certificate = d2i_X509(nullptr, &data, static_cast<long>(bytes.size()));
  if (certificate == nullptr) openssl::fail("The certificate cannot be read", 400);
  return Certificate(std::shared_ptr<X509>(certificate, X509_free));
}

std::vector<Certificate> Certificate::all_from_pem(std::string_view text) {
  std::vector<Certificate> all;
  const Owned<BIO> bio = openssl::reader(text);
  while (X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)) {
    all.emplace_back(std::shared_ptr<X509>(certificate, X509_free));
  }
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
    openssl::fail("A certificate cannot be read", 400);
  }
  ERR_clear_error();
  return all;
}

std::string Certificate::pem() const {
  const Owned<BIO> bio = openssl::writer();
  check(PEM_write_bio_X509(bio.get(), certificate_.get()), "The certificate cannot be written");
  return openssl::text_of(bio.get());
}

std::string Certificate::common_name() const {
  return openssl::common_name_of(X509_get_subject_name(certificate_.get()));
}
std::string Certificate::subject() const {
  return openssl::name_text(X509_get_subject_name(certificate_.get()));
}
std::string Certificate::issuer() const {
  return openssl::name_text(X509_get_issuer_name(certificate_.get()));
}
std::string Certificate::serial_decimal() const {
  return openssl::decimal_of(X509_get0_serialNumber(certificate_.get()));
}

std::string Certificate::serial_hex() const {
  const Owned<BIGNUM> number(
      ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate_.get()), nullptr));
  const Owned<char> digits(BN_bn2hex(number.get()));
  std::string text = digits.get();
  while (text.size() > 4 && text.starts_with('0')) text.erase(0, 1);
  return std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
}

std::time_t Certificate::not_before() const {
  return openssl::time_of(X509_get0_notBefore(certificate_.get()));
}
std::time_t Certificate::not_after() const {
  return openssl::time_of(X509_get0_notAfter(certificate_.get()));
}
bool Certificate::is_authority() const {
  return X509_check_ca(certificate_.get()) == 1;
}
bool Certificate::is_self_issued() const {
  return X509_NAME_cmp(X509_get_subject_name(certificate_.get()),
                       X509_get_issuer_name(certificate_.get())) == 0;
}

bool Certificate::is_issued_by(const Certificate& issuer) const {
  const bool is_issued = X509_NAME_cmp(X509_get_issuer_name(certificate_.get()),
                                       X509_get_subject_name(issuer.get())) == 0 &&
                         X509_verify(certificate_.get(), X509_get0_pubkey(issuer.get())) == 1;
  ERR_clear_error();
  return is_issued;
}

std::vector<std::string> Certificate::alternative_names() const {
  const Owned<GENERAL_NAMES> names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate_.get(), NID_subject_alt_name, nullptr, nullptr)));
  return openssl::alternative_names_of(names.get());
}

ExtensionList Certificate::extensions() const {
  ExtensionList list;
  for (int i = 0; i < X509_get_ext_count(certificate_.get()); ++i) {
    X509_EXTENSION* extension = X509_get_ext(certificate_.get(), i);
    if (OBJ_obj2nid(X509_EXTENSION_get_object(extension)) != NID_undef) continue;
    list.push_back(openssl::extension_text(extension));
  }
  return list;
}

std::string Certificate::fingerprint(const char* algorithm) const {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  check(X509_digest(certificate_.get(), EVP_get_digestbyname(algorithm), bytes, &size), "Digest");
  return openssl::fingerprint_text(bytes, size);
}

namespace {

void add_extension(X509* certificate, const Owned<X509_EXTENSION>& extension) {
  if (extension == nullptr) openssl::fail("An extension");
  check(X509_add_ext(certificate, extension.get(), -1), "An extension");
}

void add_configured(X509* certificate, X509V3_CTX& context, int nid, const char* value) {
  add_extension(certificate,
                Owned<X509_EXTENSION>(X509V3_EXT_conf_nid(nullptr, &context, nid, value)));
}

void fill(X509* certificate, const Owned<X509_NAME>& subject, EVP_PKEY* key, const Issuing& issuing,
          X509* issuer) {
  check(X509_set_version(certificate, 2), "The version");
  check(X509_set_serialNumber(certificate, openssl::integer_of_hex(issuing.serial_hex).get()),
        "The serial number");
  check(X509_set_subject_name(certificate, subject.get()), "The subject");
  check(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)), "The issuer");
  check(ASN1_TIME_set(X509_getm_notBefore(certificate), issuing.not_before) != nullptr, "The time");
  check(ASN1_TIME_set(X509_getm_notAfter(certificate), issuing.not_after) != nullptr, "The time");
  check(X509_set_pubkey(certificate, key), "The public key");
}

void sign(X509* certificate, const Key& key) {
  if (X509_sign(certificate, key.get(), EVP_sha256()) <= 0) {
    openssl::fail("The certificate cannot be signed");
  }
}

}  // namespace

Certificate issue_host_certificate(const std::string& name, evp_pkey_st* public_key,
                                   const Issuing& issuing, const Certificate& issuer,
                                   const Key& issuer_key) {
  std::shared_ptr<X509> certificate(X509_new(), X509_free);
  fill(certificate.get(), openssl::name_of(name), public_key, issuing, issuer.get());
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer.get(), certificate.get(), nullptr, nullptr, 0);
  if (!issuing.alternative_names.empty()) {
    add_extension(certificate.get(),
                  openssl::alternative_names_extension(issuing.alternative_names));
  }
  add_configured(certificate.get(), context, NID_netscape_comment,
                 "Puppet Server Internal Certificate");
  add_configured(certificate.get(), context, NID_authority_key_identifier, "keyid,issuer");
  add_configured(certificate.get(), context, NID_subject_key_identifier, "hash");
  for (const auto& [identifier, value] : issuing.extensions) {
    add_extension(certificate.get(), openssl::text_extension(identifier, value));
  }
  add_configured(certificate.get(), context, NID_basic_constraints, "critical,CA:FALSE");
  add_configured(certificate.get(), context, NID_ext_key_usage, "critical,serverAuth,clientAuth");
  add_configured(certificate.get(), context, NID_key_usage,
                 "critical,digitalSignature,keyEncipherment");
  sign(certificate.get(), issuer_key);
  return Certificate(std::move(certificate));
}

Certificate issue_authority_certificate(const std::string& name, const Key& key,
                                        const Issuing& issuing, const Certificate* issuer,
                                        const Key& issuer_key) {
  std::shared_ptr<X509> certificate(X509_new(), X509_free);
  const Owned<X509_NAME> subject = openssl::name_of(name);
  check(X509_set_subject_name(certificate.get(), subject.get()), "The subject");
  X509* const issuer_of_all = issuer == nullptr ? certificate.get() : issuer->get();
  fill(certificate.get(), subject, key.get(), issuing, issuer_of_all);
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer_of_all, certificate.get(), nullptr, nullptr, 0);
  add_configured(certificate.get(), context, NID_netscape_comment,
                 "Puppet Server Internal Certificate");
  add_configured(certificate.get(), context, NID_subject_key_identifier, "hash");
  add_configured(certificate.get(), context, NID_authority_key_identifier, "keyid:always");
  add_configured(certificate.get(), context, NID_basic_constraints, "critical,CA:TRUE");
  add_configured(certificate.get(), context, NID_key_usage, "critical,keyCertSign,cRLSign");
  sign(certificate.get(), issuer_key);
  return Certificate(std::move(certificate));
}

evp_pkey_st* public_key_of(const Certificate& certificate) {
  EVP_PKEY* key = X509_get0_pubkey(certificate.get());
  if (key == nullptr) openssl::fail("The public key cannot be read", 400);
  return key;
}

std::string verification_problem(const Certificate& certificate,
                                 const std::vector<Certificate>& authorities,
                                 std::string_view lists_pem) {
  const Owned<X509_STORE> store(X509_STORE_new());
  for (const Certificate& authority : authorities)
    X509_STORE_add_cert(store.get(), authority.get());
  const Owned<BIO> bio = openssl::reader(lists_pem);
  while (X509_CRL* list = PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr)) {
    X509_STORE_add_crl(store.get(), list);
    X509_CRL_free(list);
  }
  if (!lists_pem.empty()) {
    X509_STORE_set_flags(store.get(), X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
  }
  const Owned<X509_STORE_CTX> context(X509_STORE_CTX_new());
  check(X509_STORE_CTX_init(context.get(), store.get(), certificate.get(), nullptr),
        "Verification");
  std::string problem;
  if (X509_verify_cert(context.get()) != 1) {
    problem = X509_verify_cert_error_string(X509_STORE_CTX_get_error(context.get()));
  }
  ERR_clear_error();
  return problem;
}

}  // namespace bunraku::certificates
