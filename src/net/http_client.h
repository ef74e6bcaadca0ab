// An HTTP/1.1 client over TLS and plain TCP with persistent connections.
//
//    ClientSettings settings;
//    settings.tls.authorities = read_file(localcacert);
//    settings.tls.revocations = read_file(hostcrl);
//    settings.tls.certificate = read_file(hostcert);   // for servers that request one
//    settings.tls.key = read_file(hostprivkey);
//    HttpClient client(settings);
//    ClientRequest request;
//    request.url = "https://puppet.example.com:8140/puppet/v3/node/a?environment=production";
//    request.fields.add("Accept", "application/json");
//    const Response response = client.send(request);   // throws NetError
//
//  A server's certificate is verified against the authorities, its chain against the revocation
//  lists, and its names against the host of the URL. Set verifies_server to false only to request
//  the authorities' certificates themselves.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/message.h"
#include "net/proxy.h"
#include "net/tls.h"
#include "net/url.h"

namespace bunraku::net {

struct ClientSettings {
  TlsSettings tls;
  bool checks_only_leaf = false;  // only the authority that signed a certificate needs a list
  std::chrono::milliseconds connect_timeout{120'000};
  std::chrono::milliseconds read_timeout{600'000};  // for a whole answer, including a proxy's
  std::chrono::milliseconds idle{4'000};            // until an unused connection is closed
  uint64_t largest_body = uint64_t{1} << 30;
  Proxy proxy;
  std::string user_agent = "Bunraku";
  std::string source_address;  // or name, of the local end; empty: the system's choice
  // Receives a line for each connection, and for the head of each request and answer, without
  // credentials; called by the sending thread. May be empty.
  std::function<void(const std::string& line)> observer;
};

struct ClientRequest {
  std::string method = "GET";
  std::string url;
  Fields fields;
  std::string body;  // sent with its length, when not empty or the method is PUT or POST
};

// The outcome of a request in the reference's words: "timed out read operation after 2.1 seconds".
std::string outcome_of(const NetError& error, std::chrono::duration<double> passed);

// The first address of a host in the system's order, as text; empty when it has none.
std::string first_address(const std::string& host);

// The error for a rejected certificate of the server, or a wrong name in it.
class ServerRefused : public NetError {
 public:
  explicit ServerRefused(std::string message) : NetError(ErrorKind::kTls, std::move(message)) {}
};

// Thread-safe; each exchange has its own connection.
class HttpClient {
 public:
  // Throws NetError (kConfiguration) for unreadable keys and certificates.
  explicit HttpClient(ClientSettings settings);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // Returns the answer, of any status, with its body uncompressed; redirections are left to the
  // caller. When the server has closed the connection meanwhile, the request is sent once more on a
  // new one. Throws NetError, and ServerRefused for a rejected certificate.
  Response send(const ClientRequest& request);

 private:
  class Stream;
  struct Idle;
  std::unique_ptr<Stream> connect(const Url& url) const;
  std::unique_ptr<Stream> open(const Url& url) const;
  std::unique_ptr<Stream> take_idle(const std::string& key);
  void keep(std::string key, std::unique_ptr<Stream> stream);
  void open_tunnel(Stream& stream, const Url& url) const;
  std::string request_text(const ClientRequest& request, const Url& url) const;
  Response exchange(Stream& stream, const ClientRequest& request, const std::string& text,
                    bool& keeps) const;
  void report(const std::string& line) const;

  ClientSettings settings_;
  std::unique_ptr<TlsContext> tls_;
  std::mutex mutex_;
  std::vector<Idle> idle_;
};

}  // namespace bunraku::net
