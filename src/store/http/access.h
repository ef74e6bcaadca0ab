// What a client of the store's routes may do, by the name in its certificate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bunraku::store {

// The rights of one client. A right that is missing is answered with 403.
struct Access {
  std::string name;             // the certname; empty: the client has no certificate
  bool may_ask = false;         // queries and metrics
  bool may_administer = false;  // deleting nodes, collecting garbage
  bool may_store_all = false;   // commands about other nodes than itself

  // A client that is let in by other means: the clear port of this machine.
  static Access all();
  bool may_store(std::string_view certname) const {
    return may_store_all || (!name.empty() && certname == name);
  }
};

// Certnames of clients; "*" is every client that has a certificate. A node may always store what is
// about itself.
struct AccessLists {
  std::vector<std::string> queries;
  std::vector<std::string> commands;  // about any node: compile servers
  std::vector<std::string> administration;

  Access of(const std::string& name) const;
};

}  // namespace bunraku::store
