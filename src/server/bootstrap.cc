// Makes the server's certificates at its start.
#include "server/bootstrap.h"

#include <future>

#include "base/system/file_system.h"
#include "certificates/identifiers.h"

namespace bunraku::server {
namespace {

void copy_if_different(const std::string& from, const std::string& to) {
  const std::string contents = read_file(from);
  if (is_file(to) && read_file(to) == contents) return;
  create_directory(std::string(parent_directory(to)));
  write_file(to, contents, 0644);
}

}  // namespace

void issue_server_certificate(const Configuration& configuration,
                              certificates::Authority& authority) {
  const certificates::HostFiles& files = configuration.host_files;
  const std::string& name = configuration.certname;
  const certificates::Key key = certificates::load_or_make_key(files, configuration.authority.key);
  certificates::Request::Content content;
  content.name = name;
  const std::string list = configuration.settings.text("dns_alt_names");
  content.alternative_names =
      certificates::alternative_names_of(list.empty() ? "puppet" : list, name);
  content.extensions.emplace_back(certificates::kCliAuth, "true");
  const certificates::Certificate certificate =
      authority.issue(certificates::Request::make(content, key), {.ttl = {}, .is_trusted = true});
  create_directory(std::string(parent_directory(files.certificate)));
  write_file(files.certificate, certificate.pem(), 0644);
}

void prepare_certificates(const Configuration& configuration) {
  const certificates::HostFiles& files = configuration.host_files;
  if (configuration.has_authority) {
    certificates::Authority authority(configuration.authority);
    if (!authority.exists()) {
      // Generating large keys takes up to a second or two, so both keys are made in parallel.
      std::future<void> own_key = std::async(std::launch::async, [&] {
        certificates::load_or_make_key(files, configuration.authority.key);
      });
      authority.create();
      own_key.get();
    }
    if (!is_file(files.certificate)) issue_server_certificate(configuration, authority);
    authority.renew_list();
    copy_if_different(configuration.authority.files.certificates, files.authorities);
    copy_if_different(configuration.authority.files.revocations, files.revocations);
    return;
  }
  for (const std::string& file : {files.certificate, files.key, files.authorities}) {
    if (!is_file(file)) {
      throw ConfigurationError(
          "A server without an authority needs a certificate of another one; '" + file +
          "' is missing. `puppet ssl bootstrap --server HOST` requests it.");
    }
  }
}

net::TlsSettings tls_settings(const Configuration& configuration) {
  const certificates::HostFiles& files = configuration.host_files;
  net::TlsSettings settings;
  settings.certificate = read_file(files.certificate);
  if (!configuration.certificate_chain.empty()) {
    settings.certificate += read_file(configuration.certificate_chain);
  }
  settings.key = read_file(files.key);
  settings.authorities = read_file(files.authorities);
  settings.checks_revocation = configuration.checks_revocation;
  if (configuration.checks_revocation && is_file(files.revocations)) {
    settings.revocations = read_file(files.revocations);
  }
  settings.client_authentication = configuration.client_authentication;
  return settings;
}

}  // namespace bunraku::server
