// The files of this host's key and certificates, at the places that the settings name, with their
// modes; all reading and writing of them.
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
  // The settings are referred to.
  explicit HostCertificates(const Settings& settings);

  const std::string& name() const { return files_.name; }
  const certificates::HostFiles& files() const { return files_; }
  certificates::RevocationCheck revocation() const { return revocation_; }

  // The texts of the files; nothing where there is none. Throw FileError, and CertificateError for
  // what cannot be read.
  std::optional<std::string> authorities() const;
  std::optional<std::string> revocations() const;
  std::optional<certificates::Key> key() const;
  std::optional<std::string> certificate() const;
  std::optional<std::string> request() const;

  // Checks a text and keeps it. Throw CertificateError, FileError.
  void save_authorities(const std::string& pem) const;
  void save_revocations(const std::string& pem) const;
  void save_certificate(const std::string& pem) const;
  void save_request(const std::string& pem) const;
  void delete_request() const;

  // The ssldir and those in it. Throws FileError.
  void make_directories() const;
  certificates::Key make_key() const;
  // With the alternative names and attributes that the settings ask for. Its fingerprint is logged,
  // for whoever signs it.
  certificates::Request make_request(const certificates::Key& key, apply::RunLog& log) const;

  // The chain of the certificate, which must belong to the key and be accepted by authorities and
  // lists. Throws CertificateError in the reference's words.
  std::vector<certificates::Certificate> check(const certificates::Key& key,
                                               const std::string& certificate,
                                               const std::string& authorities,
                                               const std::string& revocations) const;
  // All of it from the files. Throws CertificateError that says what is missing.
  std::vector<certificates::Certificate> load_and_check(Credentials& credentials) const;

 private:
  const Settings& settings_;
  certificates::HostFiles files_;
  certificates::RevocationCheck revocation_;
  certificates::KeyOptions key_options_;
  std::string alternative_names_;
  std::string attributes_file_;
};

// Texts that hold at least one object of their kind. Throw CertificateError in the reference's
// words.
void check_authorities_text(const std::string& pem);
void check_revocations_text(const std::string& pem);

// When a file was last written; nothing when there is none.
std::optional<std::time_t> modification_time(const std::string& path);
void set_modification_time(const std::string& path, std::time_t time);

}  // namespace bunraku::agent
