// One connection of the HTTP server, from its handshake to its end. All except the handler's work
// runs on the thread of the connection's network context. Internal to this room.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "net/http_server.h"

namespace bunraku::net {

class Connection;

// A network thread with its connections.
struct NetworkThread {
  boost::asio::io_context context{1};
  std::set<Connection*> connections;  // accessed by its thread only
};

// The state that connections of a server share.
struct ServerCore {
  ServerCore(ServerOptions given, Handler& handler_of_all)
      : options(std::move(given)),
        handler(handler_of_all),
        pool(std::make_unique<WorkerPool>(options.lanes)) {}

  std::shared_ptr<const TlsContext> current_tls() const {
    const std::scoped_lock lock(tls_mutex);
    return tls;
  }

  ServerOptions options;
  Handler& handler;
  mutable std::mutex tls_mutex;
  std::shared_ptr<const TlsContext> tls;
  std::atomic<bool> is_draining{false};
  std::atomic<size_t> connections{0};
  std::atomic<uint64_t> accepted{0};
  std::atomic<uint64_t> failed_handshakes{0};
  std::unique_ptr<WorkerPool> pool;  // destroyed before the connections
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = std::chrono::steady_clock;
  Connection(ServerCore& core, NetworkThread& thread, boost::asio::ip::tcp::socket socket,
             bool is_encrypted);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();
  // Closes the connection after the current request, if any, was answered.
  void drain();
  void close();

 private:
  enum class Phase : uint8_t {
    kHandshake,
    kIdle,
    kHeader,
    kBody,
    kWorking,
    kWriting,
    kLingering,  // the answer was sent; further input is discarded
    kClosed
  };
  enum class Outcome : uint8_t { kDone, kWantsRead, kWantsWrite, kEnd };
  struct Transfer {
    Outcome outcome;
    size_t size = 0;
  };
  // An answer, ready to be sent.
  struct Output {
    int status = 0;
    std::string text;  // header, and the body or a piece of the file
    std::shared_ptr<const FileBody> file;
    uint64_t file_offset = 0;  // the start of the part that is not in `text` yet
    uint64_t body_size = 0;
    bool closes = false;
    bool is_compressed = false;
  };

  void handshake();
  void read();
  void take_input();
  void begin_request();
  void dispatch();
  Output make_output(Response response, bool keeps, bool has_no_body) const;
  void answer(Output output);
  void reject(int status, const std::string& reason);
  void write();
  bool refill_from_file();
  // Returns false when the file has become shorter.
  static bool add_piece(Output& output);
  void finish_answer();
  void next_request();
  void watch_for_end();
  void linger();

  Transfer receive(char* to, size_t size);
  Transfer send(const char* from, size_t size);
  Transfer tls_outcome(int result);
  void wait_then(Outcome outcome, void (Connection::*next)());
  void limit_time(std::chrono::milliseconds limit);
  void unlimit_time();
  void arm_timer();
  void time_out();

  ServerCore& core_;
  NetworkThread& thread_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer timer_;
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point armed_ = Clock::time_point::max();
  std::shared_ptr<const TlsContext> tls_;
  ssl_st* ssl_ = nullptr;
  Phase phase_ = Phase::kHandshake;
  bool is_encrypted_;

  std::string peer_address_;
  uint16_t peer_port_ = 0;
  std::shared_ptr<PeerCertificate> peer_certificate_;
  std::string input_;
  std::optional<MessageParser> parser_;
  std::shared_ptr<Request> request_;
  std::shared_ptr<std::atomic<bool>> is_abandoned_;
  bool keeps_ = true;
  Clock::time_point begun_;

  Output output_;
  size_t written_ = 0;  // bytes of the text
};

}  // namespace bunraku::net
