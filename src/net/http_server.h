// An HTTP/1.1 server over TLS and plain TCP. Few threads read and write for all connections;
// requests are handled by the threads of a worker pool.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "net/message.h"
#include "net/message_parser.h"
#include "net/tls.h"
#include "net/worker_pool.h"

namespace bunraku::net {

struct ListenAddress {
  std::string host = "0.0.0.0";  // a name, or an IPv4 or IPv6 address
  uint16_t port = 0;             // 0: any free one
  bool is_encrypted = true;
};

struct ServerLimits {
  std::chrono::milliseconds handshake{10'000};
  std::chrono::milliseconds idle{30'000};    // between requests on a connection
  std::chrono::milliseconds header{10'000};  // from a request's first byte to the end of its header
  std::chrono::milliseconds body{30'000};    // plus one second per 16 KiB of the body
  std::chrono::milliseconds write{60'000};   // without any byte accepted by the client
  std::chrono::milliseconds drain{30'000};   // for requests in progress when the server stops
  size_t connections = 20'000;
  size_t header_size = 8192;
  uint64_t body_size = uint64_t{256} << 20;
  // For encrypted connections without a client certificate: large enough for a certificate request.
  uint64_t body_size_of_unknown = uint64_t{64} << 10;
};

// The result of an exchange, for logs and metrics.
struct Exchange {
  const Request& request;
  int status;
  uint64_t sent;  // bytes of the body
  std::chrono::microseconds duration;
  bool is_compressed;
};

// The application of the server. All methods may be called by several threads at once.
class Handler {
 public:
  virtual ~Handler() = default;
  // Returns the index of the lane in which the request is handled. Called by a network thread, so
  // it must be fast.
  virtual size_t lane_of(const Request& request) = 0;
  // Called by a worker. Exceptions become a 500 without text.
  virtual Response handle(const Request& request) = 0;
  // Returns the answer to a request whose lane has a full queue.
  virtual Response refuse(const Request& request) = 0;
  // Returns the answer to bytes that are not a valid request.
  virtual Response reject(int status, const std::string& reason) = 0;
  // Called after the last byte of each answer, on a network thread.
  virtual void finished(const Exchange& exchange) = 0;
  // Called when a TLS handshake failed, for example for the client's certificate or version.
  virtual void handshake_failed(const std::string& address, const std::string& reason) = 0;
};

struct ServerOptions {
  std::vector<ListenAddress> addresses;
  std::vector<LaneOptions> lanes;
  ServerLimits limits;
  size_t network_threads = 1;
  bool compresses = true;
};

struct ServerState {
  size_t connections = 0;
  uint64_t accepted = 0;
  uint64_t failed_handshakes = 0;
  std::vector<LaneState> lanes;
};

class HttpServer {
 public:
  // Listens, but does not accept connections yet. The handler must outlive the server. `tls` may be
  // null when no address is encrypted. Throws NetError (kConfiguration) for an unusable address.
  HttpServer(ServerOptions options, Handler& handler, std::shared_ptr<const TlsContext> tls);
  // Stops without draining, unless stop() was called.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The actual addresses, with their ports.
  const std::vector<ListenAddress>& addresses() const;
  void start();
  // Applies to new connections; the certificates of existing ones are verified again.
  void set_tls(std::shared_ptr<const TlsContext> tls);
  // Stops accepting, closes idle connections, waits for requests in progress, and returns. Returns
  // false when the limit passed and some were dropped.
  bool stop();
  ServerState state() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bunraku::net
