// The store: facts, catalogs and reports of nodes. Opened once by a program; safe from any thread.
//
//   Store store("sqlite:/var/lib/bunraku/store.db");
//   store.write([&](Connection& connection) { save_facts(connection, facts); });   // durable
//   store.read([&](Connection& connection) { ... });
//
// Writers of a SQLite database share transactions: waiting writes are committed together. With
// PostgreSQL each write is a transaction on a connection of its own, which is retried after
// conflicts with others.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "store/commands/fact_filter.h"
#include "store/database/connection.h"

namespace bunraku::store {

struct StoreOptions {
  bool is_read_only = false;
  bool migrates = true;          // false: a database of another version is an error
  size_t most_connections = 16;  // to PostgreSQL, for readers and for writers separately
};

struct Command;

// Keeps commands while the database is unavailable.
class CommandKeeper {
 public:
  virtual ~CommandKeeper() = default;
  // Returns true when the command is on disk, false when it cannot be kept.
  virtual bool keep(const Command& command) = 0;
  // The number of waiting commands.
  virtual size_t depth() const = 0;
};

class Store {
 public:
  // Creates the file or the schema if it is missing. Throws StoreError.
  explicit Store(std::string_view url, const StoreOptions& options = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const DatabaseUrl& url() const { return url_; }

  using Work = std::function<void(Connection&)>;
  // Runs the work in a transaction and returns when it is on disk. The work may run more than once,
  // on another thread, and must not keep anything from a failed run. Throws StoreError, and the
  // work's errors.
  void write(const Work& work);
  // Runs the work with one consistent view of all data. Throws StoreError, and the work's errors.
  void read(const Work& work);
  // Not safe while others use the store; null: no keeper.
  void set_keeper(CommandKeeper* keeper) { keeper_ = keeper; }
  CommandKeeper* keeper() const { return keeper_; }
  // Sets the facts that are not stored. Not safe while others use the store.
  void set_fact_filter(FactFilter filter) { fact_filter_ = std::move(filter); }
  const FactFilter& fact_filter() const { return fact_filter_; }

  // Runs the work on a connection without a transaction, for maintenance.
  void maintain(const Work& work);

 private:
  struct Job {
    const Work* work = nullptr;
    std::exception_ptr failure;
    bool is_done = false;
    bool leads = false;  // this thread writes for all that wait
    std::condition_variable wakes;
  };
  class Pool;
  void write_together(const Work& work);
  void write_alone(const Work& work);
  void analyze_at_times();
  void lead(std::unique_lock<std::mutex>& lock);
  void run_jobs(const std::vector<Job*>& jobs);

  DatabaseUrl url_;
  CommandKeeper* keeper_ = nullptr;
  std::unique_ptr<Pool> readers_;
  std::unique_ptr<Pool> writers_;

  FactFilter fact_filter_;
  std::atomic<uint64_t> writes_{0};  // to PostgreSQL

  std::mutex mutex_;
  std::condition_variable has_gathered_;
  std::vector<Job*> waiting_;
  bool is_writing_ = false;
  size_t expected_ = 0;  // the number of writes expected to wait soon, as in the last round
  std::chrono::microseconds patience_{0};
};

// Opens a store for queries only, such as a replica, without migrating its schema; returns null for
// an empty URL. Throws StoreError.
std::unique_ptr<Store> open_replica(const std::string& url);

}  // namespace bunraku::store
