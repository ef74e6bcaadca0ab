// Requests, downloads, checks and removes a host's certificate.
#include "agent/certificate_actions.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/system/file_system.h"

namespace bunraku::agent {

using certificates::Certificate;
using certificates::CertificateError;
using certificates::Key;

CertificateActions::CertificateActions(const Settings& settings, ServerSession& session,
                                       apply::RunLog& log, const BootstrapOptions& options)
    : settings_(settings),
      session_(session),
      log_(log),
      bootstrap_(settings, session, log, options) {}

void CertificateActions::bootstrap() {
  bootstrap_.run();
  log_.log(LogLevel::kNotice, "Completed SSL initialization");
}

Key CertificateActions::load_or_make_key() {
  const HostCertificates& host = bootstrap_.host();
  if (std::optional<Key> key = host.key()) return std::move(*key);
  if (settings_.text("key_type") == "ec") {
    log_.log(LogLevel::kInfo, fmt::format("Creating a new EC SSL key for {} using curve {}",
                                          host.name(), settings_.text("named_curve")));
  } else {
    log_.log(LogLevel::kInfo, fmt::format("Creating a new SSL key for {}", host.name()));
  }
  return host.make_key();
}

void CertificateActions::submit_request() {
  const HostCertificates& host = bootstrap_.host();
  const Credentials credentials = bootstrap_.run_for_authorities();
  const std::string url = session_.url_of(Service::kAuthority);
  try {
    Call call;
    call.service = Service::kAuthority;
    call.method = "PUT";
    call.path = "/certificate_request/" + net::encode_percent(host.name());
    call.accept = "text/plain";
    call.content_type = "text/plain";
    call.body = host.make_request(load_or_make_key(), log_).pem();
    session_.send(call);
    host.save_request(call.body);
    log_.log(LogLevel::kNotice,
             fmt::format("Submitted certificate request for '{}' to {}", host.name(), url));
  } catch (const ResponseError& error) {
    if (error.status() == 400) {
      throw CertificateError(
          fmt::format("Could not submit certificate request for '{}' to {} due to a conflict on "
                      "the server",
                      host.name(), url));
    }
    throw CertificateError(fmt::format("Failed to submit certificate request: {}", error.what()));
  } catch (const std::exception& error) {
    throw CertificateError(fmt::format("Failed to submit certificate request: {}", error.what()));
  }
  if (!download(credentials)) {
    log_.log(LogLevel::kInfo,
             fmt::format("The certificate for '{}' has not yet been signed", host.name()));
  }
}

void CertificateActions::generate_request() {
  const HostCertificates& host = bootstrap_.host();
  try {
    host.save_request(host.make_request(load_or_make_key(), log_).pem());
  } catch (const std::exception& error) {
    throw CertificateError(fmt::format("Failed to generate certificate request: {}", error.what()));
  }
  log_.log(LogLevel::kNotice,
           fmt::format("Generated certificate request in '{}'", host.files().request));
}

void CertificateActions::download_certificate() {
  if (download(bootstrap_.run_for_authorities())) return;
  throw CertificateError(
      fmt::format("The certificate for '{}' has not yet been signed", bootstrap_.host().name()));
}

// Returns false when the authority has no certificate for this host.
bool CertificateActions::download(const Credentials& credentials) {
  const HostCertificates& host = bootstrap_.host();
  try {
    log_.log(LogLevel::kInfo, fmt::format("Downloading certificate '{}' from {}", host.name(),
                                          session_.url_of(Service::kAuthority)));
    Call call;
    call.service = Service::kAuthority;
    call.path = "/certificate/" + net::encode_percent(host.name());
    call.accept = "text/plain";
    const std::optional<net::Response> response = session_.find(call);
    if (!response) return false;
    const Certificate certificate = Certificate::from_pem(response->body);
    log_.log(LogLevel::kNotice,
             fmt::format("Downloaded certificate '{}' with fingerprint (SHA256) {}", host.name(),
                         certificate.fingerprint("SHA256")));
    const std::optional<Key> key = host.key();
    if (!key) throw CertificateError("Private key is missing");
    host.check(*key, response->body, credentials.authorities, credentials.revocations);
    host.save_certificate(response->body);
    host.delete_request();
    return true;
  } catch (const std::exception& error) {
    throw CertificateError(fmt::format("Failed to download certificate: {}", error.what()));
  }
}

void CertificateActions::verify() {
  Credentials credentials;
  const std::vector<Certificate> chain = bootstrap_.host().load_and_check(credentials);
  for (size_t i = chain.size(); i-- > 0;) {
    log_.log(LogLevel::kNotice,
             fmt::format("Verified {} certificate '{}' fingerprint (SHA256) {}",
                         i == 0 ? "client" : "CA", certificates::subject_text(chain[i]),
                         chain[i].fingerprint("SHA256")));
  }
}

void CertificateActions::check_removed_from_authority() {
  const std::string& name = bootstrap_.host().name();
  bool is_there = false;
  try {
    bootstrap_.run_for_authorities();
    Call call;
    call.service = Service::kAuthority;
    call.path = "/certificate/" + net::encode_percent(name);
    call.accept = "text/plain";
    is_there = session_.find(call).has_value();
  } catch (const std::exception&) {
    throw CertificateError(fmt::format(
        "Failed to connect to the CA to determine if certificate {} has been cleaned", name));
  }
  if (!is_there) return;
  throw CertificateError(
      fmt::format("The certificate {0} must be cleaned from the CA first. To fix this,\n"
                  "run the following commands on the CA:\n"
                  "  bunraku ca clean --certname {0}\n"
                  "  bunraku ssl clean\n",
                  name));
}

void CertificateActions::clean(bool is_for_authorities) {
  const certificates::HostFiles& files = bootstrap_.host().files();
  if (files.name == settings_.text("ca_server")) check_removed_from_authority();
  std::vector<std::pair<std::string_view, std::string>> paths = {
      {"private key", files.key},
      {"public key", files.public_key},
      {"certificate request", files.request},
      {"certificate", files.certificate},
      {"private key password file", settings_.text("passfile")}};
  if (is_for_authorities) {
    paths.emplace_back("local CA certificate", files.authorities);
    paths.emplace_back("local CRL", files.revocations);
  }
  for (const auto& [label, path] : paths) {
    if (unlink(path.c_str()) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) continue;
      throw CertificateError(fmt::format("{} - {}", std::strerror(errno), path));
    }
    log_.log(LogLevel::kNotice, fmt::format("Removed {} {}", label, path));
  }
}

std::string CertificateActions::show() {
  Credentials credentials;
  bootstrap_.host().load_and_check(credentials);
  return certificates::full_text(Certificate::from_pem(credentials.certificate));
}

}  // namespace bunraku::agent
