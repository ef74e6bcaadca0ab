// The client of a request, identified by its certificate.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "certificates/objects.h"
#include "net/message.h"

namespace bunraku::server {

struct Client {
  bool is_authenticated = false;
  // The subject's common name, the only identity of a client: alternative names are not used. Empty
  // when it is not authenticated.
  std::string name;
  std::string address;
  certificates::ExtensionList extensions;  // identifiers and text
  std::optional<certificates::Certificate> certificate;
};

// The error of a request with malformed headers about a certificate.
class BadClientHeader : public std::exception {
 public:
  explicit BadClientHeader(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// Identifies the client by the connection's certificate. With `trusts_headers`, a load balancer has
// verified the certificate, and only X-Client-Verify, X-Client-DN and X-Client-Cert are used.
// Throws BadClientHeader.
Client identify(const net::Request& request, bool trusts_headers);

}  // namespace bunraku::server
