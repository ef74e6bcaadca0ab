// The server: listening, network threads, draining.
#include "net/http_server.h"

#include <sys/resource.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <thread>

#include "net/connection.h"

namespace bunraku::net {
namespace {

using boost::asio::ip::tcp;

constexpr int kBacklog = 4096;
constexpr std::chrono::milliseconds kPauseWithoutDescriptors{100};

// Raises the limit of descriptors to the maximum for the process.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

struct HttpServer::State {
  struct Listener {
    Listener(boost::asio::io_context& context, bool encrypted)
        : acceptor(context), pause(context), is_encrypted(encrypted) {}
    tcp::acceptor acceptor;
    boost::asio::steady_timer pause;
    bool is_encrypted;
  };

  State(ServerOptions options, Handler& handler) : core(std::move(options), handler) {}

  void listen(ListenAddress& address);
  void accept(Listener& listener);
  void end_threads();

  ServerCore core;
  std::deque<NetworkThread> network;
  std::vector<ListenAddress> addresses;
  std::deque<Listener> listeners;
  std::vector<std::thread> threads;
  size_t next_thread = 0;
};

void HttpServer::State::listen(ListenAddress& address) {
  auto& context = network.front().context;
  boost::system::error_code error;
  tcp::resolver resolver(context);
  const auto found =
      resolver.resolve(address.host, std::to_string(address.port), tcp::resolver::passive, error);
  const std::string name = address.host + ":" + std::to_string(address.port);
  if (error || found.empty()) {
    throw NetError(ErrorKind::kConfiguration, "Cannot listen on " + name + ": " + error.message());
  }
  Listener& listener = listeners.emplace_back(context, address.is_encrypted);
  const tcp::endpoint endpoint = found.begin()->endpoint();
  listener.acceptor.open(endpoint.protocol(), error);
  if (!error) listener.acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) listener.acceptor.bind(endpoint, error);
  if (!error) listener.acceptor.listen(kBacklog, error);
  if (error) {
    throw NetError(ErrorKind::kConfiguration, "Cannot listen on " + name + ": " + error.message());
  }
  address.port = listener.acceptor.local_endpoint().port();
}

void HttpServer::State::accept(Listener& listener) {
  NetworkThread& thread = network[next_thread++ % network.size()];
  listener.acceptor.async_accept(
      thread.context,
      [this, &listener, &thread](boost::system::error_code error, tcp::socket socket) {
        if (core.is_draining) return;
        if (error == boost::asio::error::no_descriptors) {
          listener.pause.expires_after(kPauseWithoutDescriptors);
          listener.pause.async_wait([this, &listener](const auto& aborted) {
            if (!aborted) accept(listener);
          });
          return;
        }
        if (!error && core.connections < core.options.limits.connections) {
          ++core.accepted;
          auto connection =
              std::make_shared<Connection>(core, thread, std::move(socket), listener.is_encrypted);
          boost::asio::post(thread.context, [connection] { connection->start(); });
        }
        if (error != boost::asio::error::operation_aborted) accept(listener);
      });
}

void HttpServer::State::end_threads() {
  for (NetworkThread& thread : network) thread.context.stop();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
}

HttpServer::HttpServer(ServerOptions options, Handler& handler,
                       std::shared_ptr<const TlsContext> tls) {
  std::signal(SIGPIPE, SIG_IGN);
  raise_descriptor_limit();
  state_ = std::make_unique<State>(std::move(options), handler);
  state_->core.tls = std::move(tls);
  const ServerOptions& kept = state_->core.options;
  for (size_t i = 0; i < std::max<size_t>(1, kept.network_threads); ++i) {
    state_->network.emplace_back();
  }
  state_->addresses = kept.addresses;
  for (ListenAddress& address : state_->addresses) state_->listen(address);
}

HttpServer::~HttpServer() {
  // The order matters: workers refer to connections, and those to objects of the network contexts.
  state_->core.is_draining = true;
  state_->end_threads();
  state_->core.pool.reset();
  state_->listeners.clear();
  state_->network.clear();
}

const std::vector<ListenAddress>& HttpServer::addresses() const {
  return state_->addresses;
}

void HttpServer::start() {
  for (auto& listener : state_->listeners) state_->accept(listener);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (NetworkThread& thread : state_->network) {
    state_->threads.emplace_back([&thread] {
      const auto guard = boost::asio::make_work_guard(thread.context);
      thread.context.run();
    });
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HttpServer::set_tls(std::shared_ptr<const TlsContext> tls) {
  const std::scoped_lock lock(state_->core.tls_mutex);
  state_->core.tls = std::move(tls);
}

bool HttpServer::stop() {
  ServerCore& core = state_->core;
  core.is_draining = true;
  boost::asio::post(state_->network.front().context, [this] {
    for (auto& listener : state_->listeners) {
      boost::system::error_code error;
      listener.acceptor.close(error);
      listener.pause.cancel();
    }
  });
  for (NetworkThread& thread : state_->network) {
    boost::asio::post(thread.context, [&thread] {
      const std::set<Connection*> connections = thread.connections;
      for (Connection* connection : connections) connection->drain();
    });
  }
  const auto deadline = std::chrono::steady_clock::now() + core.options.limits.drain;
  while (core.connections > 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const bool is_clean = core.connections == 0;
  state_->end_threads();
  return is_clean;
}

ServerState HttpServer::state() const {
  const ServerCore& core = state_->core;
  return {core.connections, core.accepted, core.failed_handshakes, core.pool->state()};
}

}  // namespace bunraku::net
