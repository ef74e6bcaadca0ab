// Periodic garbage collection, concurrent with requests.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "base/diagnostics/log.h"
#include "store/lifecycle/garbage.h"

namespace bunraku::store {

// Runs in a thread of its own during its lifetime. Among several programs on one PostgreSQL
// database, only one collects at a time.
class GarbageCollector {
 public:
  using LogSink = std::function<void(LogLevel, const std::string&)>;
  // `store` and objects that `log` refers to must outlive it. An interval of 0: never.
  GarbageCollector(Store& store, const Lifetimes& lifetimes, std::chrono::minutes interval,
                   LogSink log);
  // Waits for a running collection.
  ~GarbageCollector();
  GarbageCollector(const GarbageCollector&) = delete;
  GarbageCollector& operator=(const GarbageCollector&) = delete;

 private:
  void run(std::chrono::minutes interval);
  void collect();

  Store& store_;
  Lifetimes lifetimes_;
  LogSink log_;
  std::mutex mutex_;
  std::condition_variable is_ending_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace bunraku::store
