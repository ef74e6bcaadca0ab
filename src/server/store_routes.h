// PuppetDB's routes of a server that has a store. The rules of auth.conf decide first, then the
// lists of store.ini: without any, a node may store what is about itself, and this server
// everything.
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
  // Reads store.ini beside puppet.conf where it is there. `store` and `log` must outlive it. Throws
  // ConfigurationError.
  StoreRoutes(store::Store& store, const Configuration& configuration, ServerLog& log);

  // Any thread may call it.
  net::Response answer(const net::Request& request, const Client& client);

 private:
  StoreRoutes(store::Store& store, store::Configuration settings,
              const Configuration& configuration, ServerLog& log);

  std::unique_ptr<store::Store> replica_;  // where queries are answered; null: in the store itself
  store::AccessLists access_;
  store::Spool spool_;
  store::Api api_;
  store::GarbageCollector collector_;
};

}  // namespace bunraku::server
