// The authority that signs hosts' certificates: a directory of files in the layout of the
// reference's server, which can be exchanged between both programs. All changes are made under a
// lock that other processes respect; every file is replaced as a whole, and the inventory only
// grows.
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
  std::string certificates;  // ca_crt.pem: the signing certificate first, the root last
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

  // The reference's names in a directory.
  static AuthorityFiles below(const std::string& directory);

  // When root runs commands, the owner of new files is the owner of the directory, the account of
  // the service; no value for other users, and if root owns the directory.
  std::optional<FileOwner> owner() const;
  // If there is an owner, a link in the file's place is replaced. Throws FileError.
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
  size_t most_requests = 20'000;  // waiting to be signed
};

enum class CertificateState : uint8_t { kRequested, kSigned, kRevoked };
std::string_view name_of(CertificateState state);

struct CertificateStatus {
  std::string name;
  CertificateState state;
  std::vector<std::string> alternative_names;       // addresses first
  ExtensionList authorization_extensions;           // identifiers below ppAuthCertExt
  std::map<std::string, std::string> fingerprints;  // SHA1, SHA256, SHA512
  std::string serial;                               // decimal; for certificates
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
  // For hosts that manage the authority: extensions are allowed that others may not have.
  bool is_trusted = false;
};

class Authority {
 public:
  explicit Authority(AuthorityOptions options);

  const AuthorityOptions& options() const { return options_; }

  // Returns false when there are no files; throws CertificateError when some are missing.
  bool exists() const;
  // Creates a root that signs hosts' certificates itself. No files may exist yet.
  void create() const;
  // Creates a root, stored beside, and an intermediate that signs. No files may exist yet.
  void create_chain(const std::string& root_name) const;
  // Imports a key with its bundle (the signing certificate first) and a list for each authority.
  void import(std::string_view key_pem, std::string_view bundle_pem,
              std::string_view lists_pem) const;

  std::string certificates_pem() const;
  // All lists; those for agents leave out hosts that are not infrastructure, if that is enabled.
  std::string revocations_pem() const;
  std::string revocations_for_agents_pem() const;
  const std::string& revocations_file() const;  // the file for agents
  std::optional<std::string> certificate_pem(const std::string& name) const;
  std::optional<std::string> request_pem(const std::string& name) const;
  std::optional<CertificateStatus> status(const std::string& name) const;
  std::vector<CertificateStatus> statuses(std::optional<CertificateState> state) const;
  std::vector<InventoryEntry> inventory() const;

  // Stores a valid request, and signs it if `decides` returns true. Returns whether it was signed.
  // Throws CertificateError.
  bool submit(const std::string& name, std::string_view pem,
              const std::function<bool(const std::string& name, const std::string& pem)>& decides);
  // Signs the stored request. Throws CertificateError: 404 without a request, 409 when it violates
  // a rule.
  Certificate sign(const std::string& name, const SigningOptions& options);
  // Issues a certificate for a key made by the authority itself. Throws CertificateError.
  Certificate issue(const Request& request, const SigningOptions& options);
  // Issues a new certificate with the same key and extensions, while the old one is valid. Throws
  // CertificateError.
  Certificate renew(const Certificate& certificate);
  // Revokes every certificate of these names that has not expired. Returns the names without one.
  std::vector<std::string> revoke(const std::vector<std::string>& names);
  void revoke_serials(const std::vector<std::string>& decimal);
  bool remove_request(const std::string& name);
  // Removes the certificate and the request; returns false when there was neither. Revokes nothing.
  bool remove(const std::string& name);

  // Replaces lists of other authorities by newer ones. Throws CertificateError.
  void update_lists(std::string_view pem);
  struct Pruned {
    size_t duplicates = 0;
    size_t expired = 0;
    size_t entries = 0;
  };
  Pruned prune(bool removes_expired, const std::vector<std::string>& serials);
  // Makes a new list if the present one expires soon; returns whether it did.
  bool renew_list();
  // Creates the files of the list for infrastructure only.
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
  // The serial numbers of present and former infrastructure certificates, decimal. Adds those of
  // names that were added to the infrastructure inventory.
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
