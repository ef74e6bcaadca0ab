// One run: plug-ins, facts, a catalog from the server or from the last run, its application, and
// the report.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agent/host_access.h"
#include "agent/remote_sources.h"
#include "agent/server_session.h"
#include "apply/transaction/catalog.h"
#include "apply/transaction/context.h"
#include "base/memory/arena.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

struct RunRequest {
  std::string job_id;
  // The start of the program; not set for a daemon's later runs.
  std::optional<std::chrono::steady_clock::time_point> started;
  // Prints text on standard output, for `--summarize`.
  std::function<void(const std::string&)> print;
  // Called with each event; may be empty.
  decltype(apply::RunOptions::observer) observer;
  std::function<void(const apply::Report&)> finished;  // may be empty
};

class Run {
 public:
  // All must outlive the run. The session must have the host's certificates.
  Run(const Settings& settings, ServerSession& session, HostAccess& access, LogSink& sink,
      apply::RunLog& log, RunRequest request);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Returns the code of `--detailed-exitcodes`: 0, 2, 4 or 6; no value when the catalog could not
  // be applied.
  std::optional<int> execute();

 private:
  // The error that ends a run; it is logged as "Failed to apply catalog: …".
  class Abort;
  struct Facts;
  struct Document;

  bool run();
  bool apply_converged();
  void choose_server();
  void load_requested_cache();
  void choose_environment();
  std::optional<std::string> last_environment(bool& is_known);
  std::optional<std::string> node_environment();
  bool is_environment_on_server();
  void synchronise_plugins();
  void collect_facts();
  std::string facts_document() const;
  bool retrieve_catalog();
  std::unique_ptr<Document> fetch_catalog();
  std::unique_ptr<Document> read_cache();
  std::string catalog_request() const;
  bool use_cache_after_failure();
  bool converge();
  bool apply_document();
  void write_summary_files(const apply::Catalog& catalog);
  void resubmit_facts();
  void send_report();
  void set_environment(const std::string& environment);
  std::string fact(std::string_view name) const;

  const Settings& settings_;
  ServerSession& session_;
  HostAccess& access_;
  LogSink& sink_;
  apply::RunLog& log_;
  RunRequest request_;
  apply::RunOptions options_;
  apply::Report report_;
  std::unique_ptr<apply::Host> host_;
  RemoteSources sources_;
  std::string node_name_;
  std::string environment_;
  std::string initial_environment_;
  std::string configured_environment_;
  bool synchronises_plugins_;
  bool uses_cache_;
  bool uses_cache_on_failure_;
  bool has_failed_before_catalog_ = false;
  std::string cached_catalog_status_ = "not_used";
  std::unique_ptr<Facts> facts_;
  std::unique_ptr<Document> document_;
  // Kept until the report is sent, because code of providers may run at its end.
  std::unique_ptr<apply::TypeRegistry> types_;
  double retrieval_seconds_ = 0;
  double applied_seconds_ = 0;
};

}  // namespace bunraku::agent
