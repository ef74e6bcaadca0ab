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
  // The subject's common name, which alone is the client's identity: alternative names are not.
  // Empty when it is not authenticated.
  std::string name;
  std::string address;
  certificates::ExtensionList extensions;  // identifiers and text
  std::optional<certificates::Certificate> certificate;
};

// A request whose headers about a certificate cannot be read.
class BadClientHeader : public std::exception {
 public:
  explicit BadClientHeader(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// By the certificate of the connection. Where `trusts_headers` says that a balancer in front has
// verified it, by X-Client-Verify, X-Client-DN and X-Client-Cert instead, and by nothing else.
// Throws BadClientHeader.
Client identify(const net::Request& request, bool trusts_headers);

}  // namespace bunraku::server
