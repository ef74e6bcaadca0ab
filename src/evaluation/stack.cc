#include <pthread.h>

#include <exception>
#include <system_error>

#include "evaluation/evaluator.h"

namespace bunraku {

namespace {

// Only address space: the system gives memory where the stack is really used.
constexpr size_t kLargeStack = size_t{256} << 20;

struct Run {
  void (*task)(void*);
  void* context;
  std::exception_ptr failure;
};

void* run(void* argument) {
  auto& run = *static_cast<Run*>(argument);
  try {
    run.task(run.context);
  } catch (...) {
    run.failure = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void run_on_large_stack(void (*task)(void*), void* context) {
  Run state{task, context, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kLargeStack);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, run, &state);
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
  pthread_join(thread, nullptr);
  if (state.failure) std::rethrow_exception(state.failure);
}

}  // namespace bunraku
