// Reads, checks and writes a host's key and certificates.
#include "agent/host_certificates.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "site/settings/service_directories.h"

namespace bunraku::agent {

using certificates::Certificate;
using certificates::CertificateError;
using certificates::Key;
using certificates::RevocationCheck;

namespace {

constexpr uint32_t kPublicMode = 0644;
constexpr SettingDirectory kDirectories[] = {
    {"ssldir", 0771, true},        {"certdir", 0755, true},    {"requestdir", 0755, true},
    {"privatekeydir", 0750, true}, {"privatedir", 0750, true}, {"publickeydir", 0755, true}};

std::optional<std::string> read_if_there(const std::string& path) {
  try {
    return read_file(path);
  } catch (const FileError& error) {
    if (error.kind() == FileErrorKind::kMissing) return std::nullopt;
    throw;
  }
}

// Makes the directory of a file, as the file's own setting may place it outside of the ssldir.
void make_parent(const std::string& path) {
  create_directory(std::string(parent_directory(path)));
}

}  // namespace

HostCertificates::HostCertificates(const Settings& settings) : settings_(settings) {
  const std::string name = downcase(settings.text("certname"));
  files_ = certificates::HostFiles::below(settings.text("ssldir"), name);
  files_.certificate = settings.text("hostcert");
  files_.key = settings.text("hostprivkey");
  files_.public_key = settings.text("hostpubkey");
  files_.request = settings.text("hostcsr");
  files_.authorities = settings.text("localcacert");
  files_.revocations = settings.text("hostcrl");
  files_.owner = service_owner(settings);
  const std::string revocation = settings.text("certificate_revocation");
  revocation_ = revocation == "false"  ? RevocationCheck::kNone
                : revocation == "leaf" ? RevocationCheck::kLeaf
                                       : RevocationCheck::kChain;
  key_options_.is_elliptic = settings.text("key_type") == "ec";
  key_options_.bits = static_cast<int>(settings.integer("keylength"));
  key_options_.curve = settings.text("named_curve");
  alternative_names_ = settings.text("dns_alt_names");
  attributes_file_ = settings.text("csr_attributes");
}

std::optional<std::string> HostCertificates::authorities() const {
  std::optional<std::string> pem = read_if_there(files_.authorities);
  if (pem) check_authorities_text(*pem);
  return pem;
}

std::optional<std::string> HostCertificates::revocations() const {
  std::optional<std::string> pem = read_if_there(files_.revocations);
  if (pem) check_revocations_text(*pem);
  return pem;
}

std::optional<Key> HostCertificates::key() const {
  const std::optional<std::string> pem = read_if_there(files_.key);
  if (!pem) return std::nullopt;
  try {
    return Key::from_pem(*pem);
  } catch (const CertificateError& error) {
    throw CertificateError(
        fmt::format("Failed to load private key for host '{}': {}", files_.name, error.what()));
  }
}

std::optional<std::string> HostCertificates::certificate() const {
  return read_if_there(files_.certificate);
}

std::optional<std::string> HostCertificates::request() const {
  return read_if_there(files_.request);
}

void HostCertificates::save_authorities(const std::string& pem) const {
  check_authorities_text(pem);
  make_directories();
  make_parent(files_.authorities);
  std::string canonical;
  for (const Certificate& certificate : Certificate::all_from_pem(pem)) {
    canonical += certificate.pem();
  }
  write_file(files_.authorities, canonical, files_.new_file(kPublicMode));
}

void HostCertificates::save_revocations(const std::string& pem) const {
  check_revocations_text(pem);
  make_directories();
  std::string canonical;
  for (const auto& list : certificates::RevocationList::all_from_pem(pem)) canonical += list.pem();
  write_file(files_.revocations, canonical, files_.new_file(kPublicMode));
}

void HostCertificates::save_certificate(const std::string& pem) const {
  make_directories();
  make_parent(files_.certificate);
  write_file(files_.certificate, Certificate::from_pem(pem).pem(), files_.new_file(kPublicMode));
}

void HostCertificates::save_request(const std::string& pem) const {
  make_directories();
  make_parent(files_.request);
  write_file(files_.request, pem, files_.new_file(kPublicMode));
}

void HostCertificates::delete_request() const {
  if (unlink(files_.request.c_str()) != 0 && errno != ENOENT) {
    throw CertificateError(
        fmt::format("Failed to delete certificate request for '{}'", files_.name));
  }
}

void HostCertificates::make_directories() const {
  for (const SettingDirectory& directory : kDirectories) manage_directory(settings_, directory);
}

Key HostCertificates::make_key() const {
  make_directories();
  return certificates::load_or_make_key(files_, key_options_);
}

certificates::Request HostCertificates::make_request(const Key& key, apply::RunLog& log) const {
  log.log(LogLevel::kInfo, fmt::format("csr_attributes file loading from {}", attributes_file_));
  certificates::Request::Content content;
  content.name = files_.name;
  content.alternative_names = certificates::alternative_names_of(alternative_names_, files_.name);
  const certificates::RequestAttributes attributes =
      certificates::read_request_attributes(attributes_file_);
  content.extensions = attributes.extensions;
  content.attributes = attributes.attributes;
  log.log(LogLevel::kInfo,
          fmt::format("Creating a new SSL certificate request for {}", files_.name));
  certificates::Request request = certificates::Request::make(content, key);
  const std::string der = certificates::der_of_pem(request.pem());
  log.log(LogLevel::kInfo, fmt::format("Certificate Request fingerprint (SHA256): {}",
                                       certificates::fingerprint_digits("SHA256", der)));
  return request;
}

std::vector<Certificate> HostCertificates::check(const Key& key, const std::string& certificate,
                                                 const std::string& authorities,
                                                 const std::string& revocations) const {
  const Certificate own = Certificate::from_pem(certificate);
  std::vector<Certificate> chain = certificates::verified_chain(
      own, Certificate::all_from_pem(authorities), revocations, revocation_);
  if (!key.belongs_to(own.get())) {
    throw CertificateError(fmt::format("The certificate for '{}' does not match its private key",
                                       certificates::subject_text(own)));
  }
  return chain;
}

std::vector<Certificate> HostCertificates::load_and_check(Credentials& credentials) const {
  const std::optional<std::string> authorities_text = authorities();
  if (!authorities_text) {
    throw CertificateError(
        fmt::format("The CA certificates are missing from '{}'", files_.authorities));
  }
  std::optional<std::string> lists;
  if (revocation_ != RevocationCheck::kNone) {
    lists = revocations();
    if (!lists) {
      throw CertificateError(fmt::format("The CRL is missing from '{}'", files_.revocations));
    }
  }
  const std::optional<Key> own_key = key();
  if (!own_key) {
    throw CertificateError(fmt::format("The private key is missing from '{}'", files_.key));
  }
  const std::optional<std::string> own = certificate();
  if (!own) {
    throw CertificateError(
        fmt::format("The client certificate is missing from '{}'", files_.certificate));
  }
  credentials.authorities = *authorities_text;
  credentials.revocations = lists.value_or("");
  credentials.certificate = *own;
  credentials.key = own_key->private_pem();
  credentials.checks_only_leaf = revocation_ == RevocationCheck::kLeaf;
  return check(*own_key, *own, *authorities_text, credentials.revocations);
}

void check_authorities_text(const std::string& pem) {
  if (pem.find("-----BEGIN CERTIFICATE-----") == std::string::npos) {
    throw CertificateError("Failed to parse CA certificates as PEM");
  }
  Certificate::all_from_pem(pem);
}

void check_revocations_text(const std::string& pem) {
  if (pem.find("-----BEGIN X509 CRL-----") == std::string::npos) {
    throw CertificateError("Failed to parse CRLs as PEM");
  }
  certificates::RevocationList::all_from_pem(pem);
}

std::optional<std::time_t> modification_time(const std::string& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return std::nullopt;
  return info.st_mtime;
}

void set_modification_time(const std::string& path, std::time_t time) {
  const timespec times[2] = {{0, UTIME_NOW}, {time, 0}};
  utimensat(AT_FDCWD, path.c_str(), times, 0);
}

}  // namespace bunraku::agent
