// Connections, and writes that share transactions.
#include "store/store.h"

#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <thread>

#include "store/schema/migrations.h"

namespace bunraku::store {
namespace {

constexpr int kMostTries = 6;
constexpr size_t kMostJobsTogether = 200;
constexpr std::chrono::microseconds kMostPatience{10'000};

}  // namespace

// Idle connections, and the number of all.
class Store::Pool {
 public:
  Pool(DatabaseUrl url, OpenOptions options, size_t most)
      : url_(std::move(url)), options_(options), most_(most) {}

  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Connection> connection)
        : pool_(pool), connection_(std::move(connection)) {}
    ~Lease() { pool_.give_back(std::move(connection_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Connection& operator*() { return *connection_; }

   private:
    Pool& pool_;
    std::unique_ptr<Connection> connection_;
  };

  std::unique_ptr<Lease> take() {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return !idle_.empty() || count_ < most_; });
    if (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      return std::make_unique<Lease>(*this, std::move(connection));
    }
    ++count_;
    lock.unlock();
    try {
      return std::make_unique<Lease>(*this, open_connection(url_, options_));
    } catch (...) {
      lock.lock();
      --count_;
      has_room_.notify_one();
      throw;
    }
  }

 private:
  void give_back(std::unique_ptr<Connection> connection) {
    const std::scoped_lock lock(mutex_);
    if (connection->is_usable()) {
      idle_.push_back(std::move(connection));
    } else {
      --count_;
    }
    has_room_.notify_one();
  }

  const DatabaseUrl url_;
  const OpenOptions options_;
  const size_t most_;
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::vector<std::unique_ptr<Connection>> idle_;
  size_t count_ = 0;
};

Store::Store(std::string_view url, const StoreOptions& options) : url_(parse_database_url(url)) {
  OpenOptions open;
  open.is_read_only = options.is_read_only;
  {
    const auto connection = open_connection(url_, open);
    if (!options.is_read_only && options.migrates) migrate(*connection);
    const int64_t version = schema_version(*connection);
    if (version != newest_schema()) {
      throw StoreError(
          StoreErrorKind::kInput,
          fmt::format("The store has schema version {} and this program needs {}: run `bunraku "
                      "store migrate`",
                      version, newest_schema()));
    }
  }
  const bool is_sqlite = url_.dialect == Dialect::kSqlite;
  OpenOptions reading;
  reading.is_read_only = true;
  readers_ = std::make_unique<Pool>(url_, is_sqlite ? open : reading, options.most_connections);
  writers_ = std::make_unique<Pool>(url_, open, is_sqlite ? 1 : options.most_connections);
}

Store::~Store() = default;

void Store::read(const Work& work) {
  const auto lease = readers_->take();
  Transaction transaction(**lease, Transaction::Kind::kRead);
  work(**lease);
  transaction.commit();
}

void Store::maintain(const Work& work) {
  const auto lease = writers_->take();
  work(**lease);
}

void Store::write(const Work& work) {
  if (url_.dialect == Dialect::kSqlite) {
    write_together(work);
  } else {
    write_alone(work);
  }
}

void Store::write_alone(const Work& work) {
  for (int tries = 1;; ++tries) {
    try {
      const auto lease = writers_->take();
      Transaction transaction(**lease, Transaction::Kind::kWrite);
      work(**lease);
      transaction.commit();
      break;
    } catch (const StoreError& error) {
      const bool may_be_tried_again =
          error.kind() == StoreErrorKind::kConflict || error.kind() == StoreErrorKind::kUnavailable;
      // If there is a keeper, few retries are made while the database is unavailable: the client
      // need not wait.
      const bool can_be_kept = keeper_ != nullptr && error.kind() == StoreErrorKind::kUnavailable;
      if (!may_be_tried_again || tries == (can_be_kept ? 2 : kMostTries)) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(5 << (2 * tries)));
    }
  }
  analyze_at_times();
}

// PostgreSQL's planner assumes that tables without statistics are small, and reads all contents of
// a title for each node: 24 seconds instead of 40 ms. Autovacuum analyzes only a minute later, so a
// store that is being filled is analyzed here after 64, 256, 1024, ... writes.
void Store::analyze_at_times() {
  constexpr uint64_t kFirst = 64, kLast = uint64_t{64} << 10;
  const uint64_t count = ++writes_;
  const bool is_due = count >= kFirst && count <= kLast && std::has_single_bit(count) &&
                      std::countr_zero(count) % 2 == 0;
  if (!is_due) return;
  try {
    maintain([](Connection& connection) { connection.script("ANALYZE"); });
  } catch (const StoreError&) {
    // The write has been committed; a later one tries again.
  }
}

// One of the waiting threads writes for all, and then hands over to the first that arrived
// meanwhile.
void Store::write_together(const Work& work) {
  Job job;
  job.work = &work;
  std::unique_lock lock(mutex_);
  waiting_.push_back(&job);
  if (is_writing_) {
    if (waiting_.size() == expected_ / 2) has_gathered_.notify_one();
    job.wakes.wait(lock, [&] { return job.is_done || job.leads; });
  }
  if (!job.is_done) lead(lock);
  if (job.failure) std::rethrow_exception(job.failure);
}

// The job of this thread is the first in the queue. A transaction with two jobs costs less than two
// transactions, so the thread waits, for a small part of a transaction's time, until half as many
// jobs have arrived as in the last round. The other half is still being prepared by its threads
// while this one writes.
void Store::lead(std::unique_lock<std::mutex>& lock) {
  using Clock = std::chrono::steady_clock;
  is_writing_ = true;
  has_gathered_.wait_for(lock, patience_, [&] { return waiting_.size() >= expected_ / 2; });
  const auto count = static_cast<std::ptrdiff_t>(std::min(waiting_.size(), kMostJobsTogether));
  const std::vector<Job*> jobs(waiting_.begin(), waiting_.begin() + count);
  waiting_.erase(waiting_.begin(), waiting_.begin() + count);
  lock.unlock();
  const auto begun = Clock::now();
  run_jobs(jobs);
  const auto spent = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun);
  lock.lock();
  expected_ = std::min(jobs.size() + waiting_.size(), kMostJobsTogether);
  patience_ = std::min(spent / 4, kMostPatience);
  for (Job* done : jobs) {
    done->is_done = true;
    done->wakes.notify_one();
  }
  is_writing_ = !waiting_.empty();
  if (!is_writing_) return;
  waiting_.front()->leads = true;
  waiting_.front()->wakes.notify_one();
}

void Store::run_jobs(const std::vector<Job*>& jobs) {
  try {
    const auto lease = writers_->take();
    Transaction transaction(**lease, Transaction::Kind::kWrite);
    for (Job* job : jobs) {
      try {
        Savepoint savepoint(**lease);
        (*job->work)(**lease);
        savepoint.release();
      } catch (...) {
        job->failure = std::current_exception();
      }
    }
    transaction.commit();
  } catch (...) {
    // Nothing has been committed.
    for (Job* job : jobs) {
      if (!job->failure) job->failure = std::current_exception();
    }
  }
}

std::unique_ptr<Store> open_replica(const std::string& url) {
  if (url.empty()) return nullptr;
  StoreOptions options;
  options.is_read_only = true;
  options.migrates = false;
  return std::make_unique<Store>(url, options);
}

}  // namespace bunraku::store
