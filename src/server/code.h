// The environments' code in memory: each environment is a generation of its own, which is replaced
// when its files change or it is flushed. Safe from any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/system/checksum_cache.h"
#include "compilation/service.h"

namespace bunraku::server {

class Code {
 public:
  // Reads nothing yet. Facts and catalogs are saved in `store`, if there is one. Throws
  // EvaluationError for unusable settings.
  explicit Code(Settings settings, std::shared_ptr<compilation::StoredNodes> store = nullptr);

  // The service for new compilations; it does not change for its holders.
  std::shared_ptr<compilation::Service> current() const;
  // Sets new settings; later requests get new generations of all environments.
  void set_settings(Settings settings);
  // Later requests get a new generation of the environment, or of all when the name is empty.
  void flush(const std::string& environment);

  // Returns whether a directory of this name is on the environment path.
  bool has_environment(const std::string& name) const;
  // The environments' names and directories, in the order of the environment path.
  std::vector<std::pair<std::string, std::string>> environments() const;
  // Checksums of files that are served repeatedly.
  ChecksumCache& checksums() { return checksums_; }

 private:
  const std::shared_ptr<compilation::StoredNodes> store_;
  mutable std::mutex mutex_;
  std::shared_ptr<compilation::Service> service_;
  ChecksumCache checksums_;
};

}  // namespace bunraku::server
