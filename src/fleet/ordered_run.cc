#include "fleet/ordered_run.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "evaluation/evaluator.h"
#include "base/system/thread_pool.h"

namespace bunraku::detail {

size_t threads_for(const OrderedRunOptions& options) {
  const size_t wanted = options.jobs == 0 ? hardware_threads() : options.jobs;
  return std::max<size_t>(1, std::min(wanted, options.count));
}

namespace {

bool is_system_error(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::system_error&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

void run_on_threads(size_t threads, const std::function<void()>& task) {
  std::mutex mutex;
  std::exception_ptr failure;
  std::atomic<bool> has_begun = false;
  const auto run = [&] {
    auto on_large_stack = [&] {
      has_begun = true;
      task();
    };
    try {
      run_on_large_stack(on_large_stack);
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < threads; ++i) others.emplace_back(run);
  } catch (const std::system_error&) {
    // The system gives no more threads; those there are do the work.
  }
  run();
  for (std::thread& thread : others) thread.join();
  // One thread that got no stack is no failure where another one has done the work.
  const bool is_resource = failure && is_system_error(failure);
  if (failure && !(is_resource && has_begun)) std::rethrow_exception(failure);
}

}  // namespace bunraku::detail
