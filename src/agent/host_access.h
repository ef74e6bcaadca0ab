// What a run needs of the program around it: how its settings become options of an application, the
// facts of this host, functions of the language, types that can be applied, and files on web
// servers.
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
  // The directories that a run writes to. Throws FileError.
  virtual void make_directories(const Settings& settings) = 0;
  // Core, external and custom facts, those that were synchronised among them, with what an agent
  // says of itself: a hash in `arena`. What goes wrong with single facts is logged.
  virtual DataNode collect_facts(const Settings& settings, Arena& arena, LogSink& log) = 0;
  // Finds out values that a catalog leaves to this host, with functions that see these facts.
  // Settings and facts must outlive it.
  virtual std::unique_ptr<apply::DeferredResolver> deferred_resolver(const Settings& settings,
                                                                     const DataNode& facts) = 0;
  // The types that can be applied: native ones, and those in Ruby that plug-ins below `libdir`
  // have. Settings, facts and log must outlive it.
  virtual std::unique_ptr<apply::TypeRegistry> types(const Settings& settings,
                                                     const std::string& environment,
                                                     const DataNode& facts, apply::RunLog& log) = 0;
  // Files on web servers, as sources; see apply::FileSources.
  virtual std::optional<apply::SourceMetadata> find_on_web(const Settings& settings,
                                                           const std::string& url,
                                                           const std::string& checksum_type) = 0;
  virtual void read_from_web(const Settings& settings, const std::string& url,
                             const std::function<void(std::string_view)>& take) = 0;
};

}  // namespace bunraku::agent
