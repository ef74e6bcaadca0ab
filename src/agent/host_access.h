// The services that a run needs from the program around it: options made of its settings, the facts
// of this host, functions of the language, resource types, and files on web servers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apply/transaction/context.h"
#include "apply/transaction/resource_type.h"
#include "base/diagnostics/log.h"
#include "base/formats/data.h"
#include "site/settings/settings.h"

namespace bunraku {
class Arena;
}

namespace bunraku::agent {

class HostAccess {
 public:
  virtual ~HostAccess() = default;
  virtual apply::RunOptions run_options(const Settings& settings) = 0;
  // Makes the directories that a run writes to. Throws FileError.
  virtual void make_directories(const Settings& settings) = 0;
  // Collects core, external and custom facts, with synchronised ones, and the facts that an agent
  // adds: a hash in `arena`. Problems of single facts are logged.
  virtual DataNode collect_facts(const Settings& settings, Arena& arena, LogSink& log) = 0;
  // Makes a resolver for Deferred values of a catalog, whose functions see these facts. Settings
  // and facts must outlive it.
  virtual std::unique_ptr<apply::DeferredResolver> deferred_resolver(const Settings& settings,
                                                                     const DataNode& facts) = 0;
  // Returns the resource types: native ones, and those in Ruby in plug-ins below `libdir`.
  // Settings, facts and log must outlive it.
  virtual std::unique_ptr<apply::TypeRegistry> types(const Settings& settings,
                                                     const std::string& environment,
                                                     const DataNode& facts, apply::RunLog& log) = 0;
  // Access to files on web servers, as sources; see apply::FileSources.
  virtual std::optional<apply::SourceMetadata> find_on_web(const Settings& settings,
                                                           const std::string& url,
                                                           const std::string& checksum_type) = 0;
  virtual void read_from_web(const Settings& settings, const std::string& url,
                             const std::function<void(std::string_view)>& take) = 0;
};

}  // namespace bunraku::agent
