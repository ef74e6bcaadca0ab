// The single steps of a host's certificates, as `bunraku ssl` has them.
#pragma once

#include <string>

#include "agent/bootstrap.h"

namespace bunraku::agent {

class CertificateActions {
 public:
  // All must outlive it. `bootstrap` says how long actions wait for locks.
  CertificateActions(const Settings& settings, ServerSession& session, apply::RunLog& log,
                     const BootstrapOptions& options);

  // All throw CertificateError with the reason, and BootstrapError.

  void bootstrap();
  // Requests a certificate, and keeps it if it is signed at once.
  void submit_request();
  // Keeps a request where the settings say; no server is asked.
  void generate_request();
  void download_certificate();
  // Logs the chain.
  void verify();
  // Removes the files of the host; with `is_for_authorities` those of the authorities, too.
  void clean(bool is_for_authorities);
  // The text of the certificate.
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
