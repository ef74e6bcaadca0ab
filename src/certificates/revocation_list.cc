// Revocation lists.
#include <algorithm>

#include "certificates/openssl.h"

namespace bunraku::certificates {

using openssl::check;
using openssl::Owned;

namespace {

constexpr std::time_t kDay = 24 * 3600;
// Agents with a slow clock would refuse a list from the future.
constexpr std::time_t kBackdated = kDay;
constexpr std::time_t kValidity = 5 * 365 * kDay;

void set_times(X509_CRL* list) {
  const std::time_t now = std::time(nullptr);
  const Owned<ASN1_TIME> begin(ASN1_TIME_set(nullptr, now - kBackdated));
  const Owned<ASN1_TIME> end(ASN1_TIME_set(nullptr, now + kValidity));
  check(X509_CRL_set1_lastUpdate(list, begin.get()), "The list's time");
  check(X509_CRL_set1_nextUpdate(list, end.get()), "The list's time");
}

void set_number(X509_CRL* list, const std::string& decimal) {
  const Owned<ASN1_INTEGER> number = openssl::integer_of_decimal(decimal);
  check(X509_CRL_add1_ext_i2d(list, NID_crl_number, number.get(), 0, X509V3_ADD_REPLACE),
        "The list's number");
}

void set_issuer(X509_CRL* list, const Certificate& issuer) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer.get(), nullptr, nullptr, list, 0);
  const Owned<X509_EXTENSION> extension(
      X509V3_EXT_conf_nid(nullptr, &context, NID_authority_key_identifier, "keyid:always"));
  if (extension == nullptr) openssl::fail("The list's issuer");
  check(X509_CRL_add_ext(list, extension.get(), -1), "The list's issuer");
}

void add_serial(X509_CRL* list, const std::string& decimal) {
  Owned<X509_REVOKED> entry(X509_REVOKED_new());
  check(X509_REVOKED_set_serialNumber(entry.get(), openssl::integer_of_decimal(decimal).get()),
        "A revoked serial number");
  const Owned<ASN1_TIME> now(ASN1_TIME_set(nullptr, std::time(nullptr)));
  check(X509_REVOKED_set_revocationDate(entry.get(), now.get()), "The time of revocation");
  const Owned<ASN1_INTEGER> reason(ASN1_ENUMERATED_new());
  ASN1_ENUMERATED_set(reason.get(), CRL_REASON_KEY_COMPROMISE);
  check(X509_REVOKED_add1_ext_i2d(entry.get(), NID_crl_reason, reason.get(), 0, 0),
        "The reason of revocation");
  check(X509_CRL_add0_revoked(list, entry.release()), "A revoked serial number");
}

void sign(X509_CRL* list, const Key& key) {
  X509_CRL_sort(list);
  if (X509_CRL_sign(list, key.get(), EVP_sha256()) <= 0) {
    openssl::fail("The list of revoked certificates cannot be signed");
  }
}

std::string next_number(const std::string& decimal) {
  BIGNUM* number = nullptr;
  BN_dec2bn(&number, decimal.c_str());
  const Owned<BIGNUM> owned(number);
  BN_add_word(number, 1);
  const Owned<char> digits(BN_bn2dec(number));
  return digits.get();
}

}  // namespace

RevocationList RevocationList::make(const Certificate& issuer, const Key& key) {
  std::shared_ptr<X509_CRL> list(X509_CRL_new(), X509_CRL_free);
  check(X509_CRL_set_version(list.get(), 1), "The list's version");
  check(X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(issuer.get())), "The issuer");
  set_times(list.get());
  set_issuer(list.get(), issuer);
  set_number(list.get(), "0");
  sign(list.get(), key);
  return RevocationList(std::move(list));
}

std::vector<RevocationList> RevocationList::all_from_pem(std::string_view text) {
  std::vector<RevocationList> all;
  const Owned<BIO> bio = openssl::reader(text);
  while (X509_CRL* list = PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr)) {
    all.push_back(RevocationList(std::shared_ptr<X509_CRL>(list, X509_CRL_free)));
  }
  if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
    openssl::fail("A list of revoked certificates cannot be read", 400);
  }
  ERR_clear_error();
  return all;
}

std::string RevocationList::pem() const {
  const Owned<BIO> bio = openssl::writer();
  check(PEM_write_bio_X509_CRL(bio.get(), list_.get()), "The list cannot be written");
  return openssl::text_of(bio.get());
}

std::string RevocationList::issuer() const {
  return openssl::name_text(X509_CRL_get_issuer(list_.get()));
}

std::string RevocationList::number() const {
  const Owned<ASN1_INTEGER> number(static_cast<ASN1_INTEGER*>(
      X509_CRL_get_ext_d2i(list_.get(), NID_crl_number, nullptr, nullptr)));
  return number == nullptr ? "0" : openssl::decimal_of(number.get());
}

std::time_t RevocationList::next_update() const {
  return openssl::time_of(X509_CRL_get0_nextUpdate(list_.get()));
}

bool RevocationList::is_delta() const {
  return X509_CRL_get_ext_by_NID(list_.get(), NID_delta_crl, -1) >= 0;
}

bool RevocationList::has_serial(const std::string& decimal) const {
  X509_REVOKED* entry = nullptr;
  return X509_CRL_get0_by_serial(list_.get(), &entry, openssl::integer_of_decimal(decimal).get()) ==
         1;
}

std::vector<std::string> RevocationList::serials() const {
  std::vector<std::string> all;
  STACK_OF(X509_REVOKED)* entries = X509_CRL_get_REVOKED(list_.get());
  for (int i = 0; entries != nullptr && i < sk_X509_REVOKED_num(entries); ++i) {
    all.push_back(
        openssl::decimal_of(X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, i))));
  }
  return all;
}

bool RevocationList::is_signed_by(const Certificate& issuer) const {
  const bool is_signed =
      X509_NAME_cmp(X509_CRL_get_issuer(list_.get()), X509_get_subject_name(issuer.get())) == 0 &&
      X509_CRL_verify(list_.get(), X509_get0_pubkey(issuer.get())) == 1;
  ERR_clear_error();
  return is_signed;
}

RevocationList RevocationList::with(const std::vector<std::string>& added,
                                    const std::vector<std::string>& removed,
                                    const Certificate& issuer, const Key& key) const {
  std::shared_ptr<X509_CRL> list(X509_CRL_new(), X509_CRL_free);
  check(X509_CRL_set_version(list.get(), 1), "The list's version");
  check(X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(issuer.get())), "The issuer");
  set_times(list.get());
  set_issuer(list.get(), issuer);
  set_number(list.get(), next_number(number()));
  STACK_OF(X509_REVOKED)* entries = X509_CRL_get_REVOKED(list_.get());
  for (int i = 0; entries != nullptr && i < sk_X509_REVOKED_num(entries); ++i) {
    X509_REVOKED* entry = sk_X509_REVOKED_value(entries, i);
    const std::string serial = openssl::decimal_of(X509_REVOKED_get0_serialNumber(entry));
    if (std::ranges::find(removed, serial) != removed.end()) continue;
    check(X509_CRL_add0_revoked(list.get(), X509_REVOKED_dup(entry)), "A revoked serial number");
  }
  for (const std::string& serial : added) {
    if (!has_serial(serial)) add_serial(list.get(), serial);
  }
  sign(list.get(), key);
  return RevocationList(std::move(list));
}

bool RevocationList::is_newer_than(const RevocationList& other) const {
  const std::string mine = number();
  const std::string theirs = other.number();
  return mine.size() != theirs.size() ? mine.size() > theirs.size() : mine > theirs;
}

}  // namespace bunraku::certificates
