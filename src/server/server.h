// The server: its configuration, start, updates and stop.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostics/log.h"
#include "server/configuration.h"

namespace bunraku::server {

struct ServerOptions {
  // Reads puppet.conf and the command line; throws the errors of Settings.
  std::function<Settings(const Directories&)> load_settings;
  std::string conf_d;  // empty: beside the confdir, if it exists
  std::optional<net::ListenAddress> listen;
  bool has_authority = true;
  LogLevel log_level = LogLevel::kInfo;
  bool logs_json = false;
  std::string access_log;
  std::string store_url;  // where facts, catalogs and reports are saved; empty: nowhere
  // Called once when requests are served, with the address and the log message.
  std::function<void(const net::ListenAddress&, const std::string&)> ready;
};

// Serves until SIGTERM or SIGINT; SIGHUP reloads the configuration and the code. Returns true when
// all current requests could be completed. Throws ConfigurationError,
// certificates::CertificateError, net::NetError, FileError, store::StoreError and EvaluationError
// when it cannot start.
bool run_server(const ServerOptions& options);

}  // namespace bunraku::server
