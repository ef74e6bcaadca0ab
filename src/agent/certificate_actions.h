// Single actions on a host's certificates, for `bunraku ssl`.
#pragma once

#include <string>

#include "agent/bootstrap.h"

namespace bunraku::agent {

class CertificateActions {
 public:
  // All must outlive this object. `bootstrap` has the time that actions wait for locks.
  CertificateActions(const Settings& settings, ServerSession& session, apply::RunLog& log,
                     const BootstrapOptions& options);

  // All actions throw CertificateError with the reason, and BootstrapError.

  void bootstrap();
  // Requests a certificate, and stores it if it is signed at once.
  void submit_request();
  // Stores a request in the file that the settings name, without a server.
  void generate_request();
  void download_certificate();
  // Checks the certificate and logs its chain.
  void verify();
  // Removes the host's files; with `is_for_authorities` also those of the authorities.
  void clean(bool is_for_authorities);
  // Returns the text of the certificate.
  std::string show();

 private:
  certificates::Key load_or_make_key();
  bool download(const Credentials& credentials);
  void check_removed_from_authority();

  const Settings& settings_;
  ServerSession& session_;
  apply::RunLog& log_;
  Bootstrap bootstrap_;
};

}  // namespace bunraku::agent
