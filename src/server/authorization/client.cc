// Identifies clients by certificates and by a load balancer's headers.
#include "server/authorization/client.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "net/url.h"

namespace bunraku::server {
namespace {

// Returns whether a name has no control characters, which would split lines for expressions and in
// logs.
bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
}

void take_certificate(Client& client, certificates::Certificate certificate) {
  client.name = certificate.common_name();
  client.is_authenticated = is_plain(client.name);
  client.extensions = certificate.extensions();
  client.certificate = std::move(certificate);
}

const Client& client_of(net::PeerCertificate& certificate) {
  if (certificate.contents == nullptr) {
    auto client = std::make_shared<Client>();
    take_certificate(*client, certificates::Certificate::from_der(certificate.der));
    certificate.contents = std::move(client);
  }
  return *static_cast<const Client*>(certificate.contents.get());
}

// The only common name in "CN=a,OU=b" (RFC 2253) or "/CN=a/OU=b".
std::string common_name_in(std::string_view name) {
  const bool has_slashes = name.starts_with('/');
  const char separator = has_slashes ? '/' : ',';
  std::string found;
  size_t begin = has_slashes ? 1 : 0;
  while (begin < name.size()) {
    size_t end = begin;
    while (end < name.size() && name[end] != separator) end += name[end] == '\\' ? 2 : 1;
    end = std::min(end, name.size());
    std::string_view part = name.substr(begin, end - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    if (part.starts_with("CN=") || part.starts_with("cn=")) {
      if (!found.empty()) throw BadClientHeader("The subject has several common names");
      found = part.substr(3);
    }
    begin = end + 1;
  }
  return found;
}

Client identify_by_headers(const net::Request& request, Client client) {
  for (const char* name : {"X-Client-Verify", "X-Client-DN", "X-Client-Cert"}) {
    if (request.fields.count(name) > 1) {
      throw BadClientHeader(std::string(name) + " is there more than once");
    }
  }
  if (request.fields.get("X-Client-Verify") != "SUCCESS") return client;
  client.name = common_name_in(request.fields.get("X-Client-DN"));
  client.is_authenticated = is_plain(client.name);
  const std::string_view escaped = request.fields.get("X-Client-Cert");
  if (escaped.empty()) return client;
  const std::optional<std::string> pem = net::decode_percent(escaped);
  if (!pem) throw BadClientHeader("Unable to URL decode the X-Client-Cert header");
  try {
    std::vector<certificates::Certificate> found = certificates::Certificate::all_from_pem(*pem);
    if (found.size() != 1) {
      throw BadClientHeader(found.empty() ? "No certs found in PEM read from X-Client-Cert"
                                          : "Only 1 PEM cert expected for X-Client-Cert");
    }
    client.extensions = found.front().extensions();
    client.certificate = std::move(found.front());
  } catch (const certificates::CertificateError&) {
    throw BadClientHeader("Unable to parse X-Client-Cert into a certificate");
  }
  return client;
}

}  // namespace

Client identify(const net::Request& request, bool trusts_headers) {
  Client client;
  client.address = request.peer_address;
  if (trusts_headers) return identify_by_headers(request, std::move(client));
  if (request.peer_certificate != nullptr) {
    client = client_of(*request.peer_certificate);
    client.address = request.peer_address;
  }
  return client;
}

}  // namespace bunraku::server
