// The server: configured, started, kept up to date, and stopped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostics/log.h"
#include "server/configuration.h"

namespace bunraku::server {

struct ServerOptions {
  // Reads puppet.conf and the command line anew; throws what Settings throws.
  std::function<Settings(const Directories&)> load_settings;
  std::string conf_d;  // empty: beside the confdir, where there is one
  std::optional<net::ListenAddress> listen;
  bool has_authority = true;
  LogLevel log_level = LogLevel::kInfo;
  bool logs_json = false;
  std::string access_log;
  std::string store_url;  // where facts, catalogs and reports are kept; empty: nowhere
  // Called once when requests are served, with the address and the line that says so.
  std::function<void(const net::ListenAddress&, const std::string&)> ready;
};

// Serves until SIGTERM or SIGINT; SIGHUP reads the configuration and the code anew. True when all
// requests under way could be ended. Throws ConfigurationError, certificates::CertificateError,
// net::NetError, FileError, store::StoreError and EvaluationError when it cannot start.
bool run_server(const ServerOptions& options);

}  // namespace bunraku::server
