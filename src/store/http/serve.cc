// The server and its periodic tasks.
#include "store/http/serve.h"

#include <fmt/format.h>
#include <openssl/x509.h>
#include <pthread.h>

#include <csignal>

#include "base/system/file_system.h"
#include "base/system/thread_pool.h"
#include "store/http/responses.h"
#include "store/lifecycle/collector.h"
#include "store/lifecycle/spool.h"

namespace bunraku::store {
namespace {

std::string common_name(const std::string& der) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      d2i_X509(nullptr, &bytes, static_cast<long>(der.size())), X509_free);
  if (certificate == nullptr) return {};
  std::array<char, 512> name{};
  const int size = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate.get()),
                                             NID_commonName, name.data(), name.size());
  return size < 0 ? std::string() : std::string(name.data(), static_cast<size_t>(size));
}

class StoreHandler : public net::Handler {
 public:
  StoreHandler(Store& store, Store* reading, const ServeOptions& options)
      : options_(options),
        api_(store, {{}, options.log, options.largest_command, options.lifetimes, reading}) {}

  size_t lane_of(const net::Request& request) override {
    return request.target.starts_with("/pdb/cmd/") ? 1 : 0;
  }
  net::Response handle(const net::Request& request) override {
    const std::string_view path =
        std::string_view(request.target).substr(0, request.target.find('?'));
    if (Api::serves(path) || path.starts_with("/status/v1/")) {
      return api_.answer(request, access_of(request));
    }
    return text_response(404, "Not Found");
  }
  net::Response refuse(const net::Request&) override {
    net::Response response = text_response(
        503, "The number of requests waiting has exceeded the limit. Try again later.");
    response.fields.add("Retry-After", "5");
    return response;
  }
  net::Response reject(int status, const std::string& reason) override {
    net::Response response = text_response(status, reason);
    response.closes_connection = true;
    return response;
  }
  void finished(const net::Exchange&) override {}
  void handshake_failed(const std::string& address, const std::string& reason) override {
    if (options_.log) {
      options_.log(LogLevel::kInfo, fmt::format("TLS with {} failed: {}", address, reason));
    }
  }

 private:
  Access access_of(const net::Request& request) const {
    if (!request.is_encrypted) return Access::all();
    return options_.access.of(
        request.peer_certificate == nullptr ? "" : common_name(request.peer_certificate->der));
  }

  const ServeOptions& options_;
  Api api_;
};

}  // namespace

bool serve_store(Store& store, const ServeOptions& options) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::optional<Spool> spool;
  try {
    if (!options.spool.empty()) spool.emplace(store, options.spool, options.log);
  } catch (const FileError& error) {
    options.log(
        LogLevel::kWarning,
        fmt::format("Commands are refused while the database cannot be used: {}", error.what()));
  }
  const std::unique_ptr<Store> replica = open_replica(options.read_url);
  StoreHandler handler(store, replica.get(), options);
  net::ServerOptions network;
  network.addresses = options.addresses;
  network.lanes.push_back({"store", std::max<size_t>(8, hardware_threads() * 2), 2000});
  // Commands mostly wait for the disk, and waiting ones are written together.
  network.lanes.push_back({"commands", std::max<size_t>(64, hardware_threads() * 4), 2000});
  network.limits.header_size = size_t{128} << 10;  // queries are in URLs
  const auto tls = options.tls ? std::make_shared<const net::TlsContext>(
                                     net::TlsContext::Side::kServer, *options.tls)
                               : nullptr;
  net::HttpServer server(network, handler, tls);
  server.start();
  if (options.ready) options.ready(server.addresses());
  {
    const GarbageCollector collector(store, options.lifetimes, options.garbage_interval,
                                     options.log);
    int signal = 0;
    while (signal != SIGTERM && signal != SIGINT) sigwait(&signals, &signal);
  }
  return server.stop();
}

}  // namespace bunraku::store
