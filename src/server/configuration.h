// The configuration of the server: puppet.conf, and the reference's files in conf.d as far as they
// have a meaning here.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "certificates/authority.h"
#include "certificates/host_files.h"
#include "certificates/identifiers.h"
#include "net/http_server.h"
#include "server/authorization/rules.h"
#include "site/settings/settings.h"

namespace bunraku::server {

// The error of an unusable file, which the message names.
class ConfigurationError : public std::exception {
 public:
  explicit ConfigurationError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// Settings for directories, as names and values.
using Directories = std::vector<std::pair<std::string, std::string>>;

struct Configuration {
  explicit Configuration(Settings given) : settings(std::move(given)) {}

  Settings settings;
  std::string certname;
  std::string conf_d;  // empty: none

  // webserver
  std::string host = "0.0.0.0";
  uint16_t port = 8140;
  std::optional<net::ListenAddress> plain;
  certificates::HostFiles host_files;
  std::string certificate_chain;  // ssl-cert-chain
  bool checks_revocation = true;
  net::ClientAuthentication client_authentication = net::ClientAuthentication::kWanted;
  net::ServerLimits limits;
  bool compresses = true;

  // jruby-puppet, versioned-code
  size_t compile_workers = 0;  // 0: one for each processor
  Directories directories;     // server-conf-dir and so on
  size_t longest_queue = 1000;
  int64_t longest_retry_delay = 1800;  // seconds
  bool caches_classes = false;         // environment-class-cache-enabled
  std::string code_id_command;
  std::string code_content_command;

  // certificate-authority
  bool has_authority = true;
  certificates::AuthorityOptions authority;

  certificates::Identifiers identifiers;
  Rules rules;
  std::vector<std::string> notices;  // entries without a meaning here, and oddities
};

// Throws ConfigurationError, and the errors of Settings for values of a wrong form.
Configuration read_configuration(Settings settings, const std::string& conf_d);
// Reads the settings by `load`: once, and again when conf.d sets directories, which then take
// precedence over puppet.conf, as in the reference's server. An empty `conf_d` is the one beside
// the confdir, if it exists.
Configuration load_configuration(const std::function<Settings(const Directories&)>& load,
                                 const std::string& conf_d);
// The conf.d beside a confdir; empty when there is none.
std::string find_conf_d(const std::string& confdir);
// The name of this host in its certificate: the setting, or the machine's name.
std::string certname_of(const Settings& settings);

}  // namespace bunraku::server
