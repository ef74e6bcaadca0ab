// The collector's thread.
#include "store/lifecycle/collector.h"

#include <fmt/format.h>

namespace bunraku::store {
namespace {

// A number that no other program on the same database is likely to use.
constexpr int64_t kGarbageLock = 0x62756e67;

}  // namespace

GarbageCollector::GarbageCollector(Store& store, const Lifetimes& lifetimes,
                                   std::chrono::minutes interval, LogSink log)
    : store_(store), lifetimes_(lifetimes), log_(std::move(log)) {
  if (interval.count() != 0) thread_ = std::thread([this, interval] { run(interval); });
}

GarbageCollector::~GarbageCollector() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  is_ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void GarbageCollector::run(std::chrono::minutes interval) {
  std::unique_lock lock(mutex_);
  while (!is_ending_.wait_for(lock, interval, [&] { return ends_; })) {
    lock.unlock();
    try {
      collect();
    } catch (const StoreError& error) {
      log_(LogLevel::kErr, fmt::format("Garbage was not collected: {}", error.what()));
    }
    lock.lock();
  }
}

void GarbageCollector::collect() {
  const auto collect_alone = [&] {
    const GarbageCounts counts = collect_garbage(store_, lifetimes_);
    log_(LogLevel::kInfo,
         fmt::format("Garbage: {} nodes expired, {} purged, {} reports and {} events removed, {} "
                     "shared rows",
                     counts.expired_nodes, counts.purged_nodes, counts.reports, counts.events,
                     counts.shared_rows));
  };
  if (store_.url().dialect == Dialect::kSqlite) return collect_alone();
  store_.maintain([&](Connection& connection) {
    const auto locked = connection.query("SELECT pg_try_advisory_lock($1)", {kGarbageLock});
    if (!locked->next() || !locked->boolean(0)) return;
    const auto unlock = [&] {
      connection.query("SELECT pg_advisory_unlock($1)", {kGarbageLock})->next();
    };
    try {
      collect_alone();
    } catch (const StoreError&) {
      unlock();
      throw;
    }
    unlock();
  });
}

}  // namespace bunraku::store
