// The bounds of stacks, and threads with large ones.
#include "base/system/stack.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

namespace bunraku {

namespace {

constexpr size_t kLargeStack = size_t{256} << 20;
constexpr size_t kSmallestStack = size_t{4} << 20;
constexpr size_t kLargestReserve = size_t{32} << 20;

// The size of a large stack. Where the process may not have much address space, the greater part of
// it is left to what is allocated, also with several threads.
size_t large_stack_size() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kLargeStack;
  return std::clamp<size_t>(limit.rlim_cur / 32, kSmallestStack, kLargeStack);
}

uintptr_t floor_of_this_thread() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &size);
    pthread_attr_destroy(&attributes);
  }
  return reinterpret_cast<uintptr_t>(lowest) + std::min(size / 4, kLargestReserve);
}

bool has_large_stack() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const size_t needed = large_stack_size() / 2;
  return here > needed && !detail::is_below_floor(here - needed);
}

int create_with_stack(pthread_t& thread, size_t size, void* (*run)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size);
  const int error = pthread_create(&thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

void* run_function(void* task) {
  (*static_cast<std::function<void()>*>(task))();
  return nullptr;
}

}  // namespace

namespace detail {

constinit thread_local uintptr_t stack_floor = UINTPTR_MAX;

bool is_below_floor(uintptr_t address) {
  if (stack_floor == UINTPTR_MAX) stack_floor = floor_of_this_thread();
  return address < stack_floor;
}

}  // namespace detail

LargeStackThread::LargeStackThread(std::function<void()> task) : task_(std::move(task)) {
  int error = EAGAIN;
  for (size_t size = large_stack_size(); error != 0 && size >= kSmallestStack; size /= 2) {
    error = create_with_stack(thread_, size, run_function, &task_);
  }
  if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
}

LargeStackThread::~LargeStackThread() {
  pthread_join(thread_, nullptr);
}

void run_on_large_stack(void (*task)(void*), void* context) {
  if (has_large_stack()) return task(context);
  std::exception_ptr failure;
  std::optional<LargeStackThread> thread;
  try {
    thread.emplace([&] {
      try {
        task(context);
      } catch (...) {
        failure = std::current_exception();
      }
    });
  } catch (const std::system_error&) {
    return task(context);
  }
  // What waits on the other thread is interrupted by signals, as it would be here.
  sigset_t all, usual;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &usual);
  thread.reset();
  pthread_sigmask(SIG_SETMASK, &usual, nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bunraku
