#include "base/system/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/system/stack.h"

namespace bunraku {

size_t hardware_threads() {
  return std::max(1u, std::thread::hardware_concurrency());
}

namespace detail {

void run_in_parallel(size_t count, size_t threads, void (*work)(void* context, size_t index),
                     void* context) {
  if (threads == 0) threads = hardware_threads();
  threads = std::min(threads, count);
  std::atomic<size_t> next{0};
  std::atomic<bool> has_failed{false};
  std::mutex mutex;
  std::exception_ptr failure;
  size_t failed_index = count;

  auto run = [&] {
    while (!has_failed.load(std::memory_order_relaxed)) {
      const size_t index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= count) return;
      try {
        work(context, index);
      } catch (...) {
        const std::lock_guard lock(mutex);
        has_failed = true;
        if (index < failed_index) {
          failed_index = index;
          failure = std::current_exception();
        }
      }
    }
  };

  std::deque<LargeStackThread> others;
  try {
    for (size_t i = 1; i < threads; ++i) others.emplace_back(run);
  } catch (const std::system_error&) {
    // The system cannot create more threads; the existing ones do the work.
  }
  run();
  others.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace detail
}  // namespace bunraku
