// Reads and writes the files of this host's key and certificates, at the paths and with the modes
// in the settings.
#pragma once

#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/server_session.h"
#include "certificates/host_files.h"
#include "certificates/objects.h"
#include "certificates/verification.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

class HostCertificates {
 public:
  // The settings must outlive this object.
  explicit HostCertificates(const Settings& settings);

  const std::string& name() const { return files_.name; }
  const certificates::HostFiles& files() const { return files_; }
  certificates::RevocationCheck revocation() const { return revocation_; }

  // The contents of the files; no value for a missing file. They throw FileError, and
  // CertificateError for malformed contents.
  std::optional<std::string> authorities() const;
  std::optional<std::string> revocations() const;
  std::optional<certificates::Key> key() const;
  std::optional<std::string> certificate() const;
  std::optional<std::string> request() const;

  // Check a text and store it. They throw CertificateError and FileError.
  void save_authorities(const std::string& pem) const;
  void save_revocations(const std::string& pem) const;
  void save_certificate(const std::string& pem) const;
  void save_request(const std::string& pem) const;
  void delete_request() const;

  // Makes the ssldir and its directories. Throws FileError.
  void make_directories() const;
  certificates::Key make_key() const;
  // Makes a request with the alternative names and attributes in the settings. Logs its fingerprint
  // for the person who signs it.
  certificates::Request make_request(const certificates::Key& key, apply::RunLog& log) const;

  // Returns the chain of the certificate, which must match the key and be valid by the authorities
  // and revocation lists. Throws CertificateError with the reference's message.
  std::vector<certificates::Certificate> check(const certificates::Key& key,
                                               const std::string& certificate,
                                               const std::string& authorities,
                                               const std::string& revocations) const;
  // Does the same with the contents of the files. Throws CertificateError that names missing ones.
  std::vector<certificates::Certificate> load_and_check(Credentials& credentials) const;

 private:
  const Settings& settings_;
  certificates::HostFiles files_;
  certificates::RevocationCheck revocation_;
  certificates::KeyOptions key_options_;
  std::string alternative_names_;
  std::string attributes_file_;
};

// Check that a text has at least one object of its kind. They throw CertificateError with the
// reference's message.
void check_authorities_text(const std::string& pem);
void check_revocations_text(const std::string& pem);

// The modification time of a file; no value when it does not exist.
std::optional<std::time_t> modification_time(const std::string& path);
void set_modification_time(const std::string& path, std::time_t time);

}  // namespace bunraku::agent
