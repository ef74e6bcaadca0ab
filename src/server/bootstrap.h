// Prepares what a server needs before it listens: an authority, and a certificate of its own.
#pragma once

#include "certificates/authority.h"
#include "net/tls.h"
#include "server/configuration.h"

namespace bunraku::server {

// Creates the authority if it does not exist, and the server's certificate. With an authority on
// this host, updates the copies of its bundle and lists. Throws CertificateError and FileError.
void prepare_certificates(const Configuration& configuration);

// Issues the server's own certificate, with the right to manage the authority.
void issue_server_certificate(const Configuration& configuration,
                              certificates::Authority& authority);

// Throws FileError when a file is missing.
net::TlsSettings tls_settings(const Configuration& configuration);

}  // namespace bunraku::server
