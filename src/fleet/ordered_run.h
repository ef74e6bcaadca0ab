// Processes a long list on several threads and delivers the results in the order of the list, with
// bounded memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace bunraku {

struct OrderedRunOptions {
  size_t count = 0;
  size_t jobs = 0;  // threads; 0: as many as the machine runs at a time
  // Set by another thread to end the run early: work in progress is still delivered. May be null.
  const std::atomic<bool>* stop = nullptr;
};

namespace detail {

size_t threads_for(const OrderedRunOptions& options);
// Calls `task` on so many threads, each with a stack for deep recursion.
void run_on_threads(size_t threads, const std::function<void()>& task);

template <typename Result>
class OrderedRun {
 public:
  using Work = std::function<Result(size_t)>;
  using Deliver = std::function<bool(Result)>;

  OrderedRun(const OrderedRunOptions& options, size_t threads, Work work, Deliver deliver)
      : options_(options),
        waiting_(threads * kWaitingPerThread),
        work_(std::move(work)),
        deliver_(std::move(deliver)) {}

  void work() {
    for (;;) {
      const std::optional<size_t> index = take();
      if (!index) return;
      try {
        put(*index, work_(*index));
      } catch (...) {
        // The other threads must not wait for this result.
        std::lock_guard lock(mutex_);
        is_ended_ = true;
        has_room_.notify_all();
        throw;
      }
    }
  }

  size_t delivered() const { return delivered_; }

 private:
  // The bound on results that wait for an earlier one, per thread.
  static constexpr size_t kWaitingPerThread = 32;

  std::optional<size_t> take() {
    std::unique_lock lock(mutex_);
    const bool is_stopped =
        options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    if (is_ended_ || is_stopped || next_ == options_.count) return std::nullopt;
    const size_t index = next_++;
    has_room_.wait(lock, [&] { return is_ended_ || index < delivered_ + waiting_.size(); });
    return is_ended_ ? std::nullopt : std::optional(index);
  }

  // The thread with the next expected result delivers it, and the waiting ones after it.
  void put(size_t index, Result result) {
    std::unique_lock lock(mutex_);
    waiting_[index % waiting_.size()].emplace(std::move(result));
    if (is_delivering_) return;
    is_delivering_ = true;
    while (!is_ended_ && waiting_[delivered_ % waiting_.size()]) {
      std::optional<Result> ready;
      ready.swap(waiting_[delivered_ % waiting_.size()]);
      lock.unlock();
      const bool goes_on = deliver_(std::move(*ready));
      lock.lock();
      ++delivered_;
      is_ended_ = !goes_on;
      has_room_.notify_all();
    }
    is_delivering_ = false;
  }

  const OrderedRunOptions& options_;
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::vector<std::optional<Result>> waiting_;  // a ring buffer
  Work work_;
  Deliver deliver_;
  size_t next_ = 0;
  size_t delivered_ = 0;
  bool is_delivering_ = false;
  bool is_ended_ = false;
};

}  // namespace detail

// Calls work(index) for every index below the count on several threads, and deliver(result) for one
// result at a time in the order of the list. The run ends when deliver returns false: later results
// are not delivered. It also ends with an exception, which is rethrown. Returns the number of
// delivered results.
template <typename Result>
size_t run_in_order(const OrderedRunOptions& options, std::function<Result(size_t)> work,
                    std::function<bool(Result)> deliver) {
  const size_t threads = detail::threads_for(options);
  detail::OrderedRun<Result> run(options, threads, std::move(work), std::move(deliver));
  detail::run_on_threads(threads, [&run] { run.work(); });
  return run.delivered();
}

}  // namespace bunraku
