// The store: what nodes are, have and did. Opened once by a program; any thread may use it.
//
//   Store store("sqlite:/var/lib/bunraku/store.db");
//   store.write([&](Connection& connection) { save_facts(connection, facts); });   // durable
//   store.read([&](Connection& connection) { ... });
//
// Writers of a SQLite database share transactions: what waits together is committed together. With
// PostgreSQL each write is a transaction on a connection of its own, tried again when others were
// in its way.
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
  bool migrates = true;          // false: a database of another version is refused
  size_t most_connections = 16;  // to PostgreSQL, for readers and for writers each
};

struct Command;

// Keeps commands while the database cannot be used.
class CommandKeeper {
 public:
  virtual ~CommandKeeper() = default;
  // On the disk when it returns. False: it cannot be kept.
  virtual bool keep(const Command& command) = 0;
  // How many wait.
  virtual size_t depth() const = 0;
};

class Store {
 public:
  // Makes the file or the schema where they are missing. Throws StoreError.
  explicit Store(std::string_view url, const StoreOptions& options = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const DatabaseUrl& url() const { return url_; }

  using Work = std::function<void(Connection&)>;
  // Runs the work in a transaction and returns when it is on the disk. The work may run more than
  // once, on another thread, and must keep nothing of a failed run. Throws StoreError, and what the
  // work throws.
  void write(const Work& work);
  // Runs the work with one consistent view of all data. Throws StoreError, and what the work
  // throws.
  void read(const Work& work);
  // Not while others use the store; null: there is none.
  void set_keeper(CommandKeeper* keeper) { keeper_ = keeper; }
  CommandKeeper* keeper() const { return keeper_; }
  // Facts that are not kept. Not while others use the store.
  void set_fact_filter(FactFilter filter) { fact_filter_ = std::move(filter); }
  const FactFilter& fact_filter() const { return fact_filter_; }

  // A connection without a transaction, for maintenance.
  void maintain(const Work& work);

 private:
  struct Job {
    const Work* work = nullptr;
    std::exception_ptr failure;
    bool is_done = false;
    bool leads = false;  // it writes for all that wait
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
  size_t expected_ = 0;  // so many may wait soon, as there were as many before
  std::chrono::microseconds patience_{0};
};

// A store that only answers, such as a replica of another one, whose schema is left as it is; null
// for an empty URL. Throws StoreError.
std::unique_ptr<Store> open_replica(const std::string& url);

}  // namespace bunraku::store
