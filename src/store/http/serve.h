// A stand-alone server for the store, as PuppetDB is one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "net/http_server.h"
#include "net/tls.h"
#include "store/http/api.h"
#include "store/lifecycle/garbage.h"

namespace bunraku::store {

struct ServeOptions {
  std::vector<net::ListenAddress> addresses;
  std::optional<net::TlsSettings> tls;  // required when an address uses TLS
  std::function<void(LogLevel, const std::string&)> log;
  // The rights of clients over TLS. On an address without TLS every client has all rights, so it
  // should be local.
  AccessLists access;
  Lifetimes lifetimes;
  std::chrono::minutes garbage_interval{60};  // 0: never
  // A directory for commands that wait for the database; empty: they are refused.
  std::string spool;
  size_t largest_command = size_t{64} << 20;
  std::string read_url;  // of a replica for queries; empty: none
  // Called once when requests are served.
  std::function<void(const std::vector<net::ListenAddress>&)> ready;
};

// Serves until SIGTERM or SIGINT. Returns true when all current requests could be completed. Throws
// StoreError and net::NetError when it cannot start.
bool serve_store(Store& store, const ServeOptions& options);

}  // namespace bunraku::store
