#include "fleet/ordered_run.h"

#include <deque>
#include <exception>
#include <mutex>
#include <system_error>

#include "base/system/stack.h"
#include "base/system/thread_pool.h"

namespace bunraku::detail {

size_t threads_for(const OrderedRunOptions& options) {
  const size_t wanted = options.jobs == 0 ? hardware_threads() : options.jobs;
  return std::max<size_t>(1, std::min(wanted, options.count));
}

void run_on_threads(size_t threads, const std::function<void()>& task) {
  std::mutex mutex;
  std::exception_ptr failure;
  auto run = [&] {
    try {
      task();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  {
    std::deque<LargeStackThread> others;
    try {
      for (size_t i = 1; i < threads; ++i) others.emplace_back(run);
    } catch (const std::system_error&) {
      // The system refuses more threads; the existing ones do the work.
    }
    run_on_large_stack(run);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bunraku::detail
