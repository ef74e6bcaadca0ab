// PuppetDB's routes in a server with a store. The rules of auth.conf decide first, then the lists
// in store.ini. Without lists, a node may store data about itself, and this server everything.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "net/message.h"
#include "server/authorization/client.h"
#include "server/server_log.h"
#include "store/configuration.h"
#include "store/http/api.h"
#include "store/lifecycle/collector.h"
#include "store/lifecycle/spool.h"

namespace bunraku::server {

struct Configuration;

class StoreRoutes {
 public:
  // Reads store.ini beside puppet.conf, if it exists. `store` and `log` must outlive this object.
  // Throws ConfigurationError.
  StoreRoutes(store::Store& store, const Configuration& configuration, ServerLog& log);

  // Safe from any thread.
  net::Response answer(const net::Request& request, const Client& client);

 private:
  StoreRoutes(store::Store& store, store::Configuration settings,
              const Configuration& configuration, ServerLog& log);

  std::unique_ptr<store::Store> replica_;  // the store for queries; null: the main store
  store::AccessLists access_;
  store::Spool spool_;
  store::Api api_;
  store::GarbageCollector collector_;
};

}  // namespace bunraku::server
