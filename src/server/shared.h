// State shared by all requests: the current configuration, the authority, code, logs and metrics.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "certificates/authority.h"
#include "server/code.h"
#include "server/configuration.h"
#include "server/metrics.h"
#include "server/server_log.h"

namespace bunraku::server {

class ReportForwarder;

// The configuration and state derived from it; immutable, and replaced as a whole.
struct Site {
  explicit Site(Configuration given) : configuration(std::move(given)) {
    if (configuration.has_authority) {
      authority = std::make_shared<certificates::Authority>(configuration.authority);
    }
  }
  Configuration configuration;
  std::shared_ptr<certificates::Authority> authority;  // null: this server has no authority
};

// The data of a node on the server's page.
struct NodeRecord {
  std::time_t last_catalog = 0;
  double compile_seconds = 0;
  size_t resources = 0;
  std::string environment;
  std::string failure;  // of the last compilation; empty if it succeeded
  std::time_t last_report = 0;
  std::string report_status;
  std::string report_failure;  // the message of the first failed resource in the last run
};

class NodeRecords {
 public:
  void change(const std::string& name, const std::function<void(NodeRecord&)>& change);
  std::map<std::string, NodeRecord> all() const;

 private:
  static constexpr size_t kMost = 50'000;
  mutable std::mutex mutex_;
  std::map<std::string, NodeRecord> records_;
};

struct Shared {
  std::shared_ptr<const Site> current_site() const {
    const std::scoped_lock lock(site_mutex);
    return site;
  }
  void set_site(std::shared_ptr<const Site> next) {
    const std::scoped_lock lock(site_mutex);
    site = std::move(next);
  }

  mutable std::mutex site_mutex;
  std::shared_ptr<const Site> site;
  std::unique_ptr<Code> code;
  // Where facts, catalogs and reports are saved; null: nowhere.
  std::shared_ptr<compilation::StoredNodes> stored_nodes;
  Metrics metrics;
  ServerLog* log = nullptr;
  // Forwards reports; null before the server runs.
  std::shared_ptr<ReportForwarder> forwarder;
  NodeRecords nodes;
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::atomic<bool> is_stopping{false};
  std::function<net::ServerState()> network_state;
};

}  // namespace bunraku::server
