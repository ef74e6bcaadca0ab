// An HTTP/1.1 server over TLS and plain TCP. Few threads read and write for all connections; what a
// request asks for is done by the threads of a worker pool.
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
  std::string host = "0.0.0.0";  // a name, or an address of either version
  uint16_t port = 0;             // 0: any free one
  bool is_encrypted = true;
};

struct ServerLimits {
  std::chrono::milliseconds handshake{10'000};
  std::chrono::milliseconds idle{30'000};    // between requests of a connection
  std::chrono::milliseconds header{10'000};  // from a request's first byte to the end of its header
  std::chrono::milliseconds body{30'000};    // and a second more for each 16 KiB of the body
  std::chrono::milliseconds write{60'000};   // without the client taking a byte
  std::chrono::milliseconds drain{30'000};   // for requests under way when the server stops
  size_t connections = 20'000;
  size_t header_size = 8192;
  uint64_t body_size = uint64_t{256} << 20;
  // For clients of encrypted connections that have shown no certificate: enough for a request for
  // one.
  uint64_t body_size_of_unknown = uint64_t{64} << 10;
};

// How an exchange ended, for logs and counts.
struct Exchange {
  const Request& request;
  int status;
  uint64_t sent;  // bytes of the body
  std::chrono::microseconds duration;
  bool is_compressed;
};

// What a server does. All may be called by many threads at once.
class Handler {
 public:
  virtual ~Handler() = default;
  // The lane in which the request is answered, by its number in the pool's list. Called by a thread
  // of the network, so it must be quick.
  virtual size_t lane_of(const Request& request) = 0;
  // Called by a worker. Exceptions become 500 without a text.
  virtual Response handle(const Request& request) = 0;
  // The answer to a request that found its lane's queue full; nothing: it is answered with 503 and
  // Retry-After.
  virtual Response refuse(const Request& request) = 0;
  // The answer to bytes that are no request that can be served.
  virtual Response reject(int status, const std::string& reason) = 0;
  // After the last byte of each answer, on a thread of the network.
  virtual void finished(const Exchange& exchange) = 0;
  // A client could not be agreed with on TLS: its certificate, its version.
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
  // Listens, but accepts nothing yet. The handler must outlive the server. `tls` may be null when
  // no address is encrypted. Throws NetError (kConfiguration) for an address that cannot be used.
  HttpServer(ServerOptions options, Handler& handler, std::shared_ptr<const TlsContext> tls);
  // Stops without draining, if stop() was not called.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The addresses as they came to be, with their ports.
  const std::vector<ListenAddress>& addresses() const;
  void start();
  // For new connections; those that stand have their certificates checked again.
  void set_tls(std::shared_ptr<const TlsContext> tls);
  // Accepts no more, ends idle connections, waits for requests under way, and returns. False when
  // some had to be dropped after the limit.
  bool stop();
  ServerState state() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bunraku::net
