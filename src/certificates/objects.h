// Keys, certificates, requests and revocation lists as values: cheap to copy, immutable unless
// noted, parsed from PEM or DER and written as PEM. All parsing throws CertificateError.
#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "certificates/error.h"

struct evp_pkey_st;
struct x509_st;
struct X509_req_st;
struct X509_crl_st;

namespace bunraku::certificates {

// Pairs of object identifiers as digits with dots, and text.
using ExtensionList = std::vector<std::pair<std::string, std::string>>;

struct KeyOptions {
  bool is_elliptic = false;
  int bits = 4096;  // for RSA
  std::string curve = "prime256v1";
};

class Key {
 public:
  static Key generate(const KeyOptions& options);
  static Key from_pem(std::string_view text);
  // PKCS#1 for RSA and SEC1 for elliptic curves, as in the reference.
  std::string private_pem() const;
  std::string public_pem() const;
  bool belongs_to(x509_st* certificate) const;
  evp_pkey_st* get() const { return key_.get(); }

 private:
  explicit Key(std::shared_ptr<evp_pkey_st> key) : key_(std::move(key)) {}
  std::shared_ptr<evp_pkey_st> key_;
};

class Certificate {
 public:
  explicit Certificate(std::shared_ptr<x509_st> certificate)
      : certificate_(std::move(certificate)) {}
  static Certificate from_pem(std::string_view text);
  static Certificate from_der(std::string_view bytes);
  // All certificates of a bundle, in order; text around them is ignored.
  static std::vector<Certificate> all_from_pem(std::string_view text);

  std::string pem() const;
  // The subject's only common name; empty when it has none or several.
  std::string common_name() const;
  std::string subject() const;  // "/CN=a"
  std::string issuer() const;
  std::string serial_decimal() const;
  std::string serial_hex() const;  // "0001": upper case, at least four digits
  std::time_t not_before() const;
  std::time_t not_after() const;
  bool is_authority() const;
  bool is_self_issued() const;
  bool is_issued_by(const Certificate& issuer) const;  // by name and signature
  // "DNS:a", "IP:::1" and so on, in order.
  std::vector<std::string> alternative_names() const;
  // The extensions in Puppet's arc, and all others that OpenSSL has no name for; values as text.
  ExtensionList extensions() const;
  // For "SHA256", "SHA1"…: pairs of upper-case digits separated by colons.
  std::string fingerprint(const char* algorithm) const;
  x509_st* get() const { return certificate_.get(); }

 private:
  std::shared_ptr<x509_st> certificate_;
};

class Request {
 public:
  static Request from_pem(std::string_view text);
  // The content of an agent's request.
  struct Content {
    std::string name;
    std::vector<std::string> alternative_names;  // "a", "DNS:a" or "IP:::1"
    ExtensionList extensions;                    // identifiers, values as text
    ExtensionList attributes;
  };
  static Request make(const Content& content, const Key& key);

  std::string pem() const;
  std::string common_name() const;
  std::string subject() const;
  bool has_valid_signature() const;
  std::vector<std::string> alternative_names() const;
  // All requested extensions except alternative names, values as text.
  ExtensionList extensions() const;
  // The text of an attribute; no value when it is missing.
  std::optional<std::string> attribute(const std::string& identifier) const;
  std::string fingerprint(const char* algorithm) const;
  X509_req_st* get() const { return request_.get(); }

 private:
  explicit Request(std::shared_ptr<X509_req_st> request) : request_(std::move(request)) {}
  std::shared_ptr<X509_req_st> request_;
};

class RevocationList {
 public:
  // An empty list with number 0, issued by the authority.
  static RevocationList make(const Certificate& issuer, const Key& key);
  static std::vector<RevocationList> all_from_pem(std::string_view text);

  std::string pem() const;
  std::string issuer() const;
  // The number in decimal; "0" when there is none.
  std::string number() const;
  std::time_t next_update() const;  // 0: not set
  bool is_delta() const;
  bool has_serial(const std::string& decimal) const;
  std::vector<std::string> serials() const;  // decimal
  bool is_signed_by(const Certificate& issuer) const;
  // A list with the next number, with added and without removed serials (decimal).
  RevocationList with(const std::vector<std::string>& added,
                      const std::vector<std::string>& removed, const Certificate& issuer,
                      const Key& key) const;
  // Returns whether its number is higher.
  bool is_newer_than(const RevocationList& other) const;

 private:
  explicit RevocationList(std::shared_ptr<X509_crl_st> list) : list_(std::move(list)) {}
  std::shared_ptr<X509_crl_st> list_;
};

struct Issuing {
  std::string serial_hex;
  std::time_t not_before = 0;
  std::time_t not_after = 0;
  std::vector<std::string> alternative_names;  // "DNS:a", "IP:1.2.3.4"
  ExtensionList extensions;
};

// Issues a certificate for a host's key.
Certificate issue_host_certificate(const std::string& name, evp_pkey_st* public_key,
                                   const Issuing& issuing, const Certificate& issuer,
                                   const Key& issuer_key);
// Issues a root if `issuer` is null, otherwise an intermediate authority.
Certificate issue_authority_certificate(const std::string& name, const Key& key,
                                        const Issuing& issuing, const Certificate* issuer,
                                        const Key& issuer_key);
// The key in a request or certificate, which keeps its ownership.
evp_pkey_st* public_key_of(const Request& request);
evp_pkey_st* public_key_of(const Certificate& certificate);

// Checks whether `certificate` is valid now by these authorities and lists. Returns the reason when
// it is not, otherwise an empty text.
std::string verification_problem(const Certificate& certificate,
                                 const std::vector<Certificate>& authorities,
                                 std::string_view lists_pem);

}  // namespace bunraku::certificates
