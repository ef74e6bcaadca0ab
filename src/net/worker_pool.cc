// The threads of the worker pool.
#include "net/worker_pool.h"

#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>

#include "base/system/used_stack.h"

namespace bunraku::net {

namespace {

constexpr size_t kOrdinaryStack = size_t{8} << 20;

// Creates a thread, with a smaller stack when the process has too little address space.
int create_thread(pthread_t& thread, size_t stack_size, void* (*run)(void*), void* argument) {
  int error = EAGAIN;
  for (size_t size = stack_size; error != 0 && size >= kOrdinaryStack; size /= 2) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size);
    error = pthread_create(&thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
  }
  return error;
}

}  // namespace

WorkerPool::WorkerPool(std::vector<LaneOptions> lanes) {
  for (LaneOptions& options : lanes) lanes_.emplace_back().options = std::move(options);
  // Signals are handled by the main thread.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (Lane& lane : lanes_) start_threads(lane);
  } catch (...) {
    stop();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WorkerPool::~WorkerPool() {
  stop();
}

void WorkerPool::start_threads(Lane& lane) {
  for (size_t i = 0; i < lane.options.threads; ++i) {
    auto start = std::make_unique<Start>(Start{this, &lane});
    pthread_t& thread = threads_.emplace_back();
    const int error =
        create_thread(thread, lane.options.stack_size, &WorkerPool::run_thread, start.get());
    if (error != 0) {
      threads_.pop_back();
      throw std::system_error(error, std::generic_category(), "A worker thread");
    }
    static_cast<void>(start.release());  // the thread owns it now
  }
}

void WorkerPool::stop() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopping_ = true;
    for (Lane& lane : lanes_) lane.is_changed.notify_all();
  }
  for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
}

bool WorkerPool::submit(size_t lane_number, Work work) {
  Lane& lane = lanes_[lane_number];
  {
    const std::scoped_lock lock(mutex_);
    const bool has_free_thread = lane.busy + lane.queue.size() < lane.options.threads;
    if (is_stopping_ || (!has_free_thread && lane.queue.size() >= lane.options.longest_queue)) {
      ++lane.refused;
      return false;
    }
    lane.queue.push_back(std::move(work));
  }
  // Without the lock, for which the woken thread would wait.
  lane.is_changed.notify_one();
  return true;
}

std::vector<LaneState> WorkerPool::state() const {
  const std::scoped_lock lock(mutex_);
  std::vector<LaneState> states;
  for (const Lane& lane : lanes_) {
    states.push_back(
        {lane.options.name, lane.options.threads, lane.busy, lane.queue.size(), lane.refused});
  }
  return states;
}

void* WorkerPool::run_thread(void* start) {
  const std::unique_ptr<Start> owned(static_cast<Start*>(start));
  owned->pool->run(*owned->lane);
  return nullptr;
}

void WorkerPool::run(Lane& lane) {
  std::unique_lock lock(mutex_);
  while (true) {
    lane.is_changed.wait(lock, [&] { return is_stopping_ || !lane.queue.empty(); });
    if (is_stopping_) return;
    Work work = std::move(lane.queue.front());
    lane.queue.pop_front();
    ++lane.busy;
    lock.unlock();
    work();
    work = nullptr;
    if (lane.options.stack_size > kOrdinaryStack) give_back_stack();
    lock.lock();
    --lane.busy;
  }
}

}  // namespace bunraku::net
