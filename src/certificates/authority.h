// The authority that signs hosts' certificates: a directory of files as the reference's server has
// it, which either may take over from the other. All changes are made under a lock that other
// processes respect too; every file is replaced as a whole, and the inventory only grows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/system/file_writer.h"
#include "certificates/objects.h"

namespace bunraku::certificates {

struct AuthorityFiles {
  std::string directory;
  std::string certificates;  // ca_crt.pem: the signing one first, the root last
  std::string key;
  std::string public_key;
  std::string revocations;  // ca_crl.pem: the authority's own list first
  std::string inventory;
  std::string serial;  // the next one, in hexadecimal digits
  std::string requests;
  std::string signed_certificates;
  std::string infra_inventory;
  std::string infra_serials;
  std::string infra_revocations;

  // The reference's names below a directory.
  static AuthorityFiles below(const std::string& directory);

  // What root's commands write is left to the owner of the directory, the account of the service;
  // nothing for others, and where the directory is root's.
  std::optional<FileOwner> owner() const;
  // Where there is an owner, a link in the file's place is replaced. Throws FileError.
  void write(const std::string& path, std::string_view text, mode_t mode) const;
  void make_directory(const std::string& path) const;
};

struct AuthorityOptions {
  AuthorityFiles files;
  std::string name;  // "Puppet CA: puppet.example.com"
  KeyOptions key;
  int64_t ttl = int64_t{5} * 365 * 24 * 3600;  // of hosts' certificates, in seconds
  int64_t authority_ttl = int64_t{15} * 365 * 24 * 3600;
  bool allows_alternative_names = false;
  bool allows_authorization_extensions = false;
  bool allows_duplicates = false;
  bool allows_renewal = false;
  int64_t renewal_ttl = int64_t{90} * 24 * 3600;
  bool uses_infra_list = false;
  size_t most_requests = 20'000;  // that wait to be signed
};

enum class CertificateState : uint8_t { kRequested, kSigned, kRevoked };
std::string_view name_of(CertificateState state);

struct CertificateStatus {
  std::string name;
  CertificateState state;
  std::vector<std::string> alternative_names;       // addresses first
  ExtensionList authorization_extensions;           // identifiers below ppAuthCertExt
  std::map<std::string, std::string> fingerprints;  // SHA1, SHA256, SHA512
  std::string serial;                               // decimal; of certificates
  std::time_t not_before = 0;
  std::time_t not_after = 0;
};

// An entry of the inventory.
struct InventoryEntry {
  std::string serial;   // decimal
  std::string subject;  // "/CN=a"
  std::time_t not_after = 0;
};

struct SigningOptions {
  std::optional<int64_t> ttl;  // seconds
  // For hosts that manage the authority: allowed to have what others may not.
  bool is_trusted = false;
};

class Authority {
 public:
  explicit Authority(AuthorityOptions options);

  const AuthorityOptions& options() const { return options_; }

  // False when there are no files; throws CertificateError when only some are there.
  bool exists() const;
  // A root that signs hosts' certificates itself. Nothing may be there yet.
  void create() const;
  // A root, kept beside, and an intermediate that signs. Nothing may be there yet.
  void create_chain(const std::string& root_name) const;
  // Takes over a key with its bundle (signing one first) and a list for each authority.
  void import(std::string_view key_pem, std::string_view bundle_pem,
              std::string_view lists_pem) const;

  std::string certificates_pem() const;
  // All lists; those for agents leave out hosts that are no infrastructure, where that is enabled.
  std::string revocations_pem() const;
  std::string revocations_for_agents_pem() const;
  const std::string& revocations_file() const;  // of what agents get
  std::optional<std::string> certificate_pem(const std::string& name) const;
  std::optional<std::string> request_pem(const std::string& name) const;
  std::optional<CertificateStatus> status(const std::string& name) const;
  std::vector<CertificateStatus> statuses(std::optional<CertificateState> state) const;
  std::vector<InventoryEntry> inventory() const;

  // Keeps a request that keeps the rules, and signs it if `decides` says so. True when it was
  // signed. Throws CertificateError.
  bool submit(const std::string& name, std::string_view pem,
              const std::function<bool(const std::string& name, const std::string& pem)>& decides);
  // Signs the request that is kept. Throws CertificateError: 404 without one, 409 when it breaks a
  // rule.
  Certificate sign(const std::string& name, const SigningOptions& options);
  // A certificate for a key of the authority's own making. Throws CertificateError.
  Certificate issue(const Request& request, const SigningOptions& options);
  // The same key and extensions again, as long as the certificate is good. Throws CertificateError.
  Certificate renew(const Certificate& certificate);
  // Every certificate of these names that has not expired. Names without one are returned.
  std::vector<std::string> revoke(const std::vector<std::string>& names);
  void revoke_serials(const std::vector<std::string>& decimal);
  bool remove_request(const std::string& name);
  // The certificate and the request; false when there was neither. Nothing is revoked.
  bool remove(const std::string& name);

  // Replaces lists of other authorities by newer ones. Throws CertificateError.
  void update_lists(std::string_view pem);
  struct Pruned {
    size_t duplicates = 0;
    size_t expired = 0;
    size_t entries = 0;
  };
  Pruned prune(bool removes_expired, const std::vector<std::string>& serials);
  // Makes a new list when the present one is about to expire; true when it did.
  bool renew_list();
  // Creates the files of the list for infrastructure alone.
  void enable_infra_list();

 private:
  class Lock;
  Certificate signing_certificate() const;
  Key signing_key() const;
  void write_new(const Key& key, const std::vector<Certificate>& bundle,
                 const std::vector<RevocationList>& lists, const std::string& serial) const;
  void check_request(const Request& request, const SigningOptions& options) const;
  Certificate issue_locked(const std::string& name, evp_pkey_st* key, Issuing issuing);
  std::string take_serial();
  void revoke_locked(const std::vector<std::string>& decimal);
  // The serial numbers that certificates of infrastructure have or had; decimal. Adds those of
  // names that the inventory of infrastructure has got.
  std::vector<std::string> update_infra_serials() const;
  std::vector<std::string> live_serials(const std::string& name) const;
  CertificateStatus status_of(const Certificate& certificate, const std::string& name,
                              const RevocationList& list) const;
  RevocationList own_list() const;
  void write_lists(const RevocationList& own) const;
  std::string path_of(const std::string& directory, const std::string& name) const;

  AuthorityOptions options_;
};

// "2026-11-21T17:12:06UTC"
std::string time_text(std::time_t time);

}  // namespace bunraku::certificates
