// A queue of commands on disk for times when the database is unavailable (restarts, full disks,
// network failures). They are stored in order of arrival when it is available again.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/diagnostics/log.h"
#include "store/commands/command.h"
#include "store/store.h"

namespace bunraku::store {

struct SpoolLimits {
  size_t commands = 10'000;
  uint64_t bytes = uint64_t{1} << 30;
};

class Spool final : public CommandKeeper {
 public:
  using LogSink = std::function<void(LogLevel, const std::string&)>;
  // Continues with commands that an earlier program has left in the directory, which is created if
  // it is missing. The store and objects that `log` refers to must outlive it; the store uses it
  // during its lifetime. Only one program may use a directory at a time. Throws FileError.
  Spool(Store& store, std::string directory, LogSink log, const SpoolLimits& limits = {});
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Safe from any thread. Returns false when the spool is full or cannot be written.
  bool keep(const Command& command) override;
  size_t depth() const override;

 private:
  void run();
  // Returns false when the database is still unavailable.
  bool store_first();
  void remove(const std::string& name);

  Store& store_;
  const std::string directory_;
  const LogSink log_;
  const SpoolLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable has_changed_;
  std::set<std::string> names_;  // in order of arrival
  uint64_t bytes_ = 0;
  uint64_t count_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace bunraku::store
