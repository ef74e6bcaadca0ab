// Commands that wait on the disk while their database cannot be used: it is restarted, its disk is
// full, the network is down. They are stored in the order in which they came once it can be used
// again.
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
  // Goes on with what an earlier program has left in the directory, which is made where it is
  // missing. The store and what `log` refers to must outlive it; the store uses it until then. One
  // program at a time may have a directory. Throws FileError.
  Spool(Store& store, std::string directory, LogSink log, const SpoolLimits& limits = {});
  ~Spool() override;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  // Any thread may call it. False: it is full, or cannot be written.
  bool keep(const Command& command) override;
  size_t depth() const override;

 private:
  void run();
  // False when the database still cannot be used.
  bool store_first();
  void remove(const std::string& name);

  Store& store_;
  const std::string directory_;
  const LogSink log_;
  const SpoolLimits limits_;
  mutable std::mutex mutex_;
  std::condition_variable has_changed_;
  std::set<std::string> names_;  // in the order of their coming
  uint64_t bytes_ = 0;
  uint64_t count_ = 0;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace bunraku::store
