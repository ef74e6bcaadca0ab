// Listening, and what is done at times.
#include "store/http/serve.h"

#include <fmt/format.h>
#include <openssl/x509.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <ctime>

#include "base/system/thread_pool.h"
#include "store/http/responses.h"

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
  StoreHandler(Store& store, const ServeOptions& options)
      : options_(options), api_(store, {{}, options.log, {}}) {}

  size_t lane_of(const net::Request&) override { return 0; }
  net::Response handle(const net::Request& request) override {
    const std::string_view path =
        std::string_view(request.target).substr(0, request.target.find('?'));
    if (request.is_encrypted && path.starts_with("/pdb/") && !options_.allowed_clients.empty()) {
      const std::string name =
          request.peer_certificate == nullptr ? "" : common_name(*request.peer_certificate);
      if (std::ranges::find(options_.allowed_clients, name) == options_.allowed_clients.end()) {
        return text_response(
            403, fmt::format("Permission denied: The client certificate name {} doesnt appear in "
                             "the certificate allowlist. Is your certificate-allowlist file up to "
                             "date?",
                             name));
      }
    }
    if (Api::serves(path) || path.starts_with("/status/v1/")) return api_.answer(request);
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
  const ServeOptions& options_;
  Api api_;
};

void collect(Store& store, const ServeOptions& options) {
  try {
    const GarbageCounts counts = collect_garbage(store, options.lifetimes);
    options.log(LogLevel::kInfo,
                fmt::format("Garbage: {} nodes expired, {} purged, {} reports and {} events "
                            "removed, {} shared rows",
                            counts.expired_nodes, counts.purged_nodes, counts.reports,
                            counts.events, counts.shared_rows));
  } catch (const StoreError& error) {
    options.log(LogLevel::kErr, fmt::format("Garbage was not collected: {}", error.what()));
  }
}

}  // namespace

bool serve_store(Store& store, const ServeOptions& options) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  StoreHandler handler(store, options);
  net::ServerOptions network;
  network.addresses = options.addresses;
  network.lanes.push_back({"store", std::max<size_t>(4, hardware_threads() * 2), 10'000});
  network.limits.header_size = size_t{128} << 10;  // queries stand in URLs
  const auto tls = options.tls ? std::make_shared<const net::TlsContext>(
                                     net::TlsContext::Side::kServer, *options.tls)
                               : nullptr;
  net::HttpServer server(network, handler, tls);
  server.start();
  if (options.ready) options.ready(server.addresses());
  auto last = std::chrono::steady_clock::now();
  while (true) {
    const timespec interval{1, 0};
    const int signal = sigtimedwait(&signals, nullptr, &interval);
    if (signal == SIGTERM || signal == SIGINT) break;
    const auto now = std::chrono::steady_clock::now();
    if (options.garbage_interval.count() != 0 && now - last > options.garbage_interval) {
      last = now;
      collect(store, options);
    }
  }
  return server.stop();
}

}  // namespace bunraku::store
