// The environments' code as the server has it in memory. All requests of a moment share one
// generation; when files have changed, or the code is flushed, later requests get another, and the
// earlier one goes with its last user.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "compilation/service.h"

namespace bunraku::server {

class Code {
 public:
  // Reads nothing yet.
  explicit Code(Settings settings);

  // What is to be compiled with now. Looks for changes at most twice a second, and never when the
  // setting environment_timeout is "unlimited".
  std::shared_ptr<compilation::Service> current();
  // Another configuration; later requests get a new generation.
  void set_settings(Settings settings);
  void flush();

  bool has_environment(const std::string& name) const;
  // Names with their directories, in the order of the environment path.
  std::vector<std::pair<std::string, std::string>> environments() const;
  uint64_t generation() const;

 private:
  // Stands for the state of all files that a generation may have read.
  std::string fingerprint() const;
  std::vector<std::string> watched_directories() const;
  void replace_locked();

  mutable std::mutex mutex_;
  std::mutex look_mutex_;  // held by the thread that looks for changes
  Settings settings_;
  std::shared_ptr<compilation::Service> service_;
  std::string fingerprint_;
  std::chrono::steady_clock::time_point looked_;
  uint64_t generation_ = 0;
};

}  // namespace bunraku::server
