// A server of its own for the store: what PuppetDB's is to those who have one already.
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
  std::optional<net::TlsSettings> tls;  // needed when an address is encrypted
  std::function<void(LogLevel, const std::string&)> log;
  // The rights of clients over TLS. On a clear address every client has all, so it should be one of
  // this machine.
  AccessLists access;
  Lifetimes lifetimes;
  std::chrono::minutes garbage_interval{60};  // 0: never
  std::string
      spool;  // a directory for commands that wait for the database; empty: they are refused
  size_t largest_command = size_t{64} << 20;
  std::string read_url;  // of a replica, where queries are answered; empty: there is none
  // Called once when requests are served.
  std::function<void(const std::vector<net::ListenAddress>&)> ready;
};

// Serves until SIGTERM or SIGINT. True when all requests under way could be ended. Throws
// StoreError and net::NetError when it cannot start.
bool serve_store(Store& store, const ServeOptions& options);

}  // namespace bunraku::store
