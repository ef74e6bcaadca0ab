// What the server is configured with: puppet.conf, and the files of conf.d that the reference's
// server reads, as far as they mean something here.
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

// A file that cannot be used as it is; the message names it.
class ConfigurationError : public std::exception {
 public:
  explicit ConfigurationError(std::string message) : message_(std::move(message)) {}
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// Settings for directories, by name and value.
using Directories = std::vector<std::pair<std::string, std::string>>;

struct Configuration {
  explicit Configuration(Settings given) : settings(std::move(given)) {}

  Settings settings;
  std::string certname;
  std::string conf_d;  // empty: there is none

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
  std::vector<std::string> notices;  // what has no meaning here, and what is odd
};

// Throws ConfigurationError, and what Settings throws for values of a wrong form.
Configuration read_configuration(Settings settings, const std::string& conf_d);
// The same for settings that `load` reads: once, and again when conf.d names directories, which
// then go before puppet.conf, as the reference's server starts its compilers with them. An empty
// conf_d: the one beside the confdir, where there is one.
Configuration load_configuration(const std::function<Settings(const Directories&)>& load,
                                 const std::string& conf_d);
// Where conf.d is found beside a confdir; empty when there is none.
std::string find_conf_d(const std::string& confdir);
// The name by which this host is called in its certificate: the setting, or the machine's name.
std::string certname_of(const Settings& settings);

}  // namespace bunraku::server
