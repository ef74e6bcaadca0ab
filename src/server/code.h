// The environments' code as the server has it in memory: each environment in a generation of its
// own, which is replaced when its files change or when it is flushed. Safe from any thread.
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
  // Reads nothing yet. Facts and catalogs are kept in the store, where there is one. Throws
  // EvaluationError for settings that cannot be used.
  explicit Code(Settings settings, std::shared_ptr<compilation::StoredNodes> store = nullptr);

  // What is to be compiled with now; stays as it is for those that hold it.
  std::shared_ptr<compilation::Service> current() const;
  // Another configuration; later requests get new generations of all environments.
  void set_settings(Settings settings);
  // Later requests get a new generation of the environment; of all when the name is empty.
  void flush(const std::string& environment);

  // Is there a directory of this name on the environment path?
  bool has_environment(const std::string& name) const;
  // Names with their directories, in the order of the environment path.
  std::vector<std::pair<std::string, std::string>> environments() const;
  // Checksums of files that are served again and again.
  ChecksumCache& checksums() { return checksums_; }

 private:
  const std::shared_ptr<compilation::StoredNodes> store_;
  mutable std::mutex mutex_;
  std::shared_ptr<compilation::Service> service_;
  ChecksumCache checksums_;
};

}  // namespace bunraku::server
