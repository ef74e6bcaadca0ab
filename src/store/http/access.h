// The rights of a client of the store's routes, by the name in its certificate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku::store {

// The rights of one client. A request without the right is answered with 403.
struct Access {
  std::string name;             // the certname; empty: the client has no certificate
  bool may_ask = false;         // queries and metrics
  bool may_administer = false;  // deleting nodes, collecting garbage
  bool may_store_all = false;   // commands about nodes other than itself

  // A client that is admitted by other means: the port without TLS on this machine.
  static Access all();
  bool may_store(std::string_view certname) const {
    return may_store_all || (!name.empty() && certname == name);
  }
};

// Certnames of clients; "*" is every client with a certificate. A node may always store data about
// itself.
struct AccessLists {
  std::vector<std::string> queries;
  std::vector<std::string> commands;  // about any node: compile servers
  std::vector<std::string> administration;

  Access of(const std::string& name) const;
};

}  // namespace bunraku::store
