// Starts, updates and stops the server.
#include "server/server.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/system/descriptor.h"
#include "base/system/file_system.h"
#include "base/system/process.h"
#include "base/system/thread_pool.h"
#include "base/text/counts.h"
#include "compilation/stored_nodes.h"
#include "server/bootstrap.h"
#include "server/report_forwarder.h"
#include "server/request_handler.h"
#include "server/router.h"
#include "server/shared.h"

namespace bunraku::server {
namespace {

constexpr std::chrono::milliseconds kWatchInterval{1000};
constexpr std::chrono::hours kListInterval{24};
// Large enough that a compilation need not start a thread of its own.
constexpr size_t kCompilationStack = size_t{256} << 20;

// Notifies systemd, if it has started the program.
void notify_manager(const std::string& text) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || *path == '\0') return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (std::strlen(path) >= sizeof address.sun_path) return;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  const size_t size = offsetof(sockaddr_un, sun_path) + std::strlen(path);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const Descriptor manager(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ::sendto(manager.number(), text.data(), text.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size));
}

class RunningServer {
 public:
  explicit RunningServer(const ServerOptions& options)
      : options_(options),
        log_({options.log_level, options.logs_json, options.access_log}),
        handler_(shared_) {}

  bool run();

 private:
  std::shared_ptr<const Site> load_site();
  net::ServerOptions network_options(const Configuration& configuration) const;
  void announce(std::chrono::steady_clock::time_point begun);
  void reload();
  void watch_certificates();
  void load_tls();
  bool serve();

  const ServerOptions& options_;
  ServerLog log_;
  Shared shared_;
  std::unique_ptr<StoreRoutes> store_routes_;  // null: no store
  RequestHandler handler_;
  std::unique_ptr<net::HttpServer> network_;
  FileStamp authorities_, revocations_, own_;
  std::chrono::steady_clock::time_point list_looked_ = std::chrono::steady_clock::now();
};

std::shared_ptr<const Site> RunningServer::load_site() {
  Configuration configuration = load_configuration(options_.load_settings, options_.conf_d);
  if (!options_.has_authority) configuration.has_authority = false;
  if (options_.listen) {
    configuration.host = options_.listen->host;
    configuration.port = options_.listen->port;
  }
  for (const std::string& notice : configuration.notices) log_.write(LogLevel::kWarning, notice);
  return std::make_shared<const Site>(std::move(configuration));
}

net::ServerOptions RunningServer::network_options(const Configuration& configuration) const {
  net::ServerOptions options;
  options.addresses.push_back({configuration.host, configuration.port, true});
  if (configuration.plain) options.addresses.push_back(*configuration.plain);
  const size_t processors = hardware_threads();
  // In the order of Lane.
  options.lanes.push_back({"requests", std::max<size_t>(2, processors), 10'000});
  options.lanes.push_back(
      {"compilations",
       configuration.compile_workers == 0 ? processors : configuration.compile_workers,
       configuration.longest_queue, kCompilationStack});
  // Commands mostly wait for the disk, and are written in groups.
  options.lanes.push_back({"store", std::max<size_t>(16, processors), 1000});
  options.limits = configuration.limits;
  // Queries are in URLs, which can be long.
  if (!options_.store_url.empty()) {
    options.limits.header_size = std::max(options.limits.header_size, size_t{128} << 10);
  }
  options.compresses = configuration.compresses;
  options.network_threads = std::min<size_t>(4, std::max<size_t>(1, processors / 2));
  return options;
}

void RunningServer::load_tls() {
  const Configuration& configuration = shared_.current_site()->configuration;
  // The stamps are taken first, so that files that change while they are read are read again.
  authorities_ = file_stamp(configuration.host_files.authorities);
  revocations_ = file_stamp(configuration.host_files.revocations);
  own_ = file_stamp(configuration.host_files.certificate);
  auto tls = std::make_shared<const net::TlsContext>(net::TlsContext::Side::kServer,
                                                     tls_settings(configuration));
  if (network_ != nullptr) {
    network_->set_tls(std::move(tls));
  } else {
    network_ = std::make_unique<net::HttpServer>(network_options(configuration), handler_, tls);
  }
}

// Checks for changes of the authority's lists by this server, by a command, or by hand.
void RunningServer::watch_certificates() {
  const std::shared_ptr<const Site> site = shared_.current_site();
  const certificates::HostFiles& files = site->configuration.host_files;
  try {
    if (std::chrono::steady_clock::now() - list_looked_ > kListInterval &&
        site->authority != nullptr) {
      list_looked_ = std::chrono::steady_clock::now();
      if (site->authority->renew_list()) log_.write(LogLevel::kInfo, "The CRL was renewed");
    }
    prepare_certificates(site->configuration);
    if (authorities_ == file_stamp(files.authorities) &&
        revocations_ == file_stamp(files.revocations) && own_ == file_stamp(files.certificate)) {
      return;
    }
    load_tls();
    log_.write(LogLevel::kInfo, "The certificates and CRLs were read again");
  } catch (const std::exception& error) {
    log_.write(LogLevel::kErr,
               fmt::format("The certificates cannot be read again: {}", error.what()));
  }
}

void RunningServer::reload() {
  notify_manager("RELOADING=1");
  log_.reopen();
  try {
    std::shared_ptr<const Site> site = load_site();
    prepare_certificates(site->configuration);
    shared_.code->set_settings(site->configuration.settings);
    shared_.set_site(std::move(site));
    load_tls();
    log_.write(LogLevel::kNotice, "The configuration was read again");
  } catch (const std::exception& error) {
    log_.write(LogLevel::kErr, fmt::format("The configuration stays as it was: {}", error.what()));
  }
  notify_manager("READY=1");
}

void RunningServer::announce(std::chrono::steady_clock::time_point begun) {
  const net::ListenAddress& address = network_->addresses().front();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  const std::shared_ptr<const Site> site = shared_.current_site();
  const size_t environments = shared_.code->environments().size();
  const std::string line = fmt::format(
      "bunraku server: listening on {}:{} ({}, {}certname {}) in {:.2f} s", address.host,
      address.port, counted(environments, "environment"),
      site->authority == nullptr ? "no CA, " : "CA ", site->configuration.certname, seconds);
  notify_manager("READY=1\nSTATUS=Serving catalogs and files");
  options_.ready(address, line);
}

bool RunningServer::run() {
  const auto begun = std::chrono::steady_clock::now();
  prepare_processes();
  // Signals are blocked in all threads, and this thread waits for them.
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  shared_.log = &log_;
  shared_.network_state = [this] { return network_->state(); };
  shared_.forwarder = std::make_shared<ReportForwarder>(
      [this](const std::string& message, const std::string& request) {
        log_.write(LogLevel::kErr, message, request);
      });
  shared_.set_site(load_site());
  prepare_certificates(shared_.current_site()->configuration);
  if (!options_.store_url.empty()) {
    shared_.stored_nodes = std::make_shared<compilation::StoredNodes>(
        std::make_shared<store::Store>(options_.store_url),
        shared_.current_site()->configuration.certname);
    store_routes_ = std::make_unique<StoreRoutes>(shared_.stored_nodes->store(),
                                                  shared_.current_site()->configuration, log_);
    handler_.set_store_routes(store_routes_.get());
  }
  shared_.code =
      std::make_unique<Code>(shared_.current_site()->configuration.settings, shared_.stored_nodes);
  load_tls();
  network_->start();
  announce(begun);
  return serve();
}

bool RunningServer::serve() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  while (true) {
    const timespec interval{kWatchInterval.count() / 1000,
                            (kWatchInterval.count() % 1000) * 1'000'000};
    const int signal = sigtimedwait(&signals, nullptr, &interval);
    if (signal == SIGTERM || signal == SIGINT) break;
    if (signal == SIGHUP) {
      reload();
    } else {
      watch_certificates();
      notify_manager("WATCHDOG=1");
    }
  }
  notify_manager("STOPPING=1");
  log_.write(LogLevel::kNotice, "Stopping: requests under way are ended");
  shared_.is_stopping = true;
  return network_->stop();
}

}  // namespace

bool run_server(const ServerOptions& options) {
  return RunningServer(options).run();
}

}  // namespace bunraku::server
