// Answers requests of the network: path, identity, rules, route, errors, logs.
#pragma once

#include <atomic>
#include <cstdint>

#include "net/http_server.h"
#include "server/shared.h"
#include "server/store_routes.h"

namespace bunraku::server {

class RequestHandler : public net::Handler {
 public:
  // `shared` must outlive the handler.
  explicit RequestHandler(Shared& shared) : shared_(shared) {}
  // Sets the routes of a server with a store, before it serves; they must outlive the handler.
  void set_store_routes(StoreRoutes* routes) { store_routes_ = routes; }

  size_t lane_of(const net::Request& request) override;
  net::Response handle(const net::Request& request) override;
  net::Response refuse(const net::Request& request) override;
  net::Response reject(int status, const std::string& reason) override;
  void finished(const net::Exchange& exchange) override;
  void handshake_failed(const std::string& address, const std::string& reason) override;

 private:
  net::Response answer(const net::Request& request, const Site& site, const std::string& id);

  Shared& shared_;
  StoreRoutes* store_routes_ = nullptr;
};

}  // namespace bunraku::server
