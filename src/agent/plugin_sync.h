// Plug-in synchronisation: copies external facts, then Ruby code, then translations of an
// environment's modules to this host. Only changed files are fetched; files that the server no
// longer has are removed.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "agent/remote_sources.h"
#include "apply/transaction/context.h"
#include "site/settings/settings.h"

namespace bunraku::agent {

class PluginError : public std::exception {
 public:
  explicit PluginError(std::string message)
      : message_(std::make_shared<const std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<const std::string> message_;
};

class PluginSync {
 public:
  // All must outlive this object.
  PluginSync(const Settings& settings, RemoteSources& sources, apply::Host& host,
             const apply::TypeRegistry& types, apply::RunLog& log)
      : settings_(settings), sources_(sources), host_(host), types_(types), log_(log) {}

  // Synchronises from the environment set in `sources`. Throws PluginError, unless the settings
  // ignore errors; then they are logged.
  void run(const std::string& environment);

 private:
  void synchronise(const char* name, const char* destination, const char* source,
                   const std::string& ignored, const char* permissions,
                   const std::string& environment);
  std::string catalog_text(const char* name, const char* destination, const char* source,
                           const std::string& ignored, const char* permissions) const;

  const Settings& settings_;
  RemoteSources& sources_;
  apply::Host& host_;
  const apply::TypeRegistry& types_;
  apply::RunLog& log_;
};

}  // namespace bunraku::agent
