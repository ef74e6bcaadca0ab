// The limits of stacks, and threads with large stacks.
#include "base/system/stack.h"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <memory>
#include <mutex>
#include <semaphore>
#include <system_error>
#include <utility>
#include <vector>

#include "base/system/used_stack.h"

namespace bunraku {

namespace {

constexpr size_t kLargeStack = size_t{256} << 20;
constexpr size_t kSmallestStack = size_t{4} << 20;
constexpr size_t kLargestReserve = size_t{32} << 20;

// The size of a large stack. When the address space is limited, most of it is left to allocations,
// also with several threads.
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

// Returns whether the first thread's stack cannot become large. This avoids finding its start,
// which the system determines from the long list of all mappings.
bool is_small_first_stack(size_t needed) {
  rlimit limit{};
  return gettid() == getpid() && getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < needed;
}

bool has_large_stack() {
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const size_t needed = large_stack_size() / 2;
  return here > needed && !is_small_first_stack(needed) && !detail::is_below_floor(here - needed);
}

int create_with_stack(pthread_t& thread, size_t size, void* (*run)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size);
  const int error = pthread_create(&thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  return error;
}

// Throws std::system_error when the system cannot create a thread.
pthread_t create_with_large_stack(void* (*run)(void*), void* argument) {
  pthread_t thread{};
  int error = EAGAIN;
  for (size_t size = large_stack_size(); error != 0 && size >= kSmallestStack; size /= 2) {
    error = create_with_stack(thread, size, run, argument);
  }
  if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
  return thread;
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
  thread_ = create_with_large_stack(run_function, &task_);
}

LargeStackThread::~LargeStackThread() {
  pthread_join(thread_, nullptr);
}

namespace {

// A thread with a large stack that runs one task after another. It is passed from caller to caller,
// and ends when it gets no task.
class Runner {
 public:
  // Throws std::system_error when the system cannot create a thread.
  Runner() { pthread_detach(create_with_large_stack(&Runner::run_tasks, this)); }

  // Rethrows the task's exceptions. The calling thread waits with all signals blocked, so that the
  // other thread gets them.
  void run(void (*task)(void*), void* context) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &signals_);
    task_ = task;
    context_ = context;
    begin_.release();
    end_.acquire();
    pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // Ends the thread, which destroys the runner.
  void dismiss() {
    task_ = nullptr;
    begin_.release();
  }

 private:
  static void* run_tasks(void* self) {
    const std::unique_ptr<Runner> runner(static_cast<Runner*>(self));
    runner->run_until_dismissed();
    return nullptr;
  }

  void run_until_dismissed() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    for (;;) {
      begin_.acquire();
      if (task_ == nullptr) return;
      pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
      try {
        task_(context_);
      } catch (...) {
        failure_ = std::current_exception();
      }
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
      give_back_stack();
      end_.release();
    }
  }

  std::binary_semaphore begin_{0}, end_{0};
  void (*task_)(void*) = nullptr;
  void* context_ = nullptr;
  sigset_t signals_{};  // of the caller
  std::exception_ptr failure_;
};

// Runners without a task, because making one costs more than a short task does. Thread-local
// variables of a runner are those of its earlier tasks.
class IdleRunners {
 public:
  // Never destroyed: runners still wait in it at the end of the process.
  static IdleRunners& of_process() {
    static IdleRunners* const runners = new IdleRunners;
    return *runners;
  }

  Runner* take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Runner* const runner = idle_.back();
        idle_.pop_back();
        return runner;
      }
    }
    return new Runner;
  }

  void put_back(Runner* runner) {
    {
      const std::lock_guard lock(mutex_);
      if (idle_.size() < kMostIdle) return idle_.push_back(runner);
    }
    runner->dismiss();
  }

 private:
  static constexpr size_t kMostIdle = 16;

  // The child of a fork has none of the threads.
  IdleRunners() {
    idle_.reserve(kMostIdle);
    pthread_atfork([] { of_process().mutex_.lock(); }, [] { of_process().mutex_.unlock(); },
                   [] {
                     of_process().idle_.clear();
                     of_process().mutex_.unlock();
                   });
  }

  std::mutex mutex_;
  std::vector<Runner*> idle_;
};

}  // namespace

void run_on_large_stack(void (*task)(void*), void* context) {
  if (has_large_stack()) return task(context);
  Runner* runner = nullptr;
  try {
    runner = IdleRunners::of_process().take();
  } catch (const std::system_error&) {
    return task(context);
  }
  struct Return {
    Runner* runner;
    ~Return() { IdleRunners::of_process().put_back(runner); }
  };
  const Return at_end{runner};
  runner->run(task, context);
}

}  // namespace bunraku
