// The stack of the calling thread: the test whether a recursion may continue, and threads with a
// large stack.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <exception>
#include <functional>

namespace bunraku {

namespace detail {
// The address below which a recursion of the calling thread must not go; the highest address while
// it is unknown.
extern constinit thread_local uintptr_t stack_floor;
bool is_below_floor(uintptr_t address);
}  // namespace detail

// Returns whether so little of the calling thread's stack is left that a recursion must end with an
// error. The rest, a quarter of the stack and at most 32 MB, is for functions that are called at
// the end of a recursion and for unwinding.
inline bool is_stack_low() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here < detail::stack_floor && detail::is_below_floor(here);
}

// A thread with 256 MB of address space for its stack, regardless of the process's limit: the
// system provides memory only where the stack is used. With less address space available, the stack
// is smaller.
class LargeStackThread {
 public:
  // Throws std::system_error when the system cannot create a thread. The task must not throw.
  explicit LargeStackThread(std::function<void()> task);
  LargeStackThread(const LargeStackThread&) = delete;
  LargeStackThread& operator=(const LargeStackThread&) = delete;
  // Waits for the end of the task.
  ~LargeStackThread();

 private:
  std::function<void()> task_;
  pthread_t thread_;
};

// Runs `task` on a large stack and rethrows its exceptions: on that of the calling thread when it
// is large or when the system cannot create a thread, otherwise on a separate thread, which
// meanwhile gets the signals of the calling thread.
void run_on_large_stack(void (*task)(void*), void* context);
template <typename Task>
void run_on_large_stack(Task& task) {
  run_on_large_stack([](void* context) { (*static_cast<Task*>(context))(); }, &task);
}

}  // namespace bunraku
