// Threads that handle requests, in lanes: long compilations do not delay files and certificates,
// and a lane with a full queue refuses at once.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include <pthread.h>

namespace bunraku::net {

struct LaneOptions {
  std::string name;
  size_t threads = 1;
  size_t longest_queue = 1000;  // waiting work; more is refused
  size_t stack_size = size_t{8} << 20;
};

struct LaneState {
  std::string name;
  size_t threads = 0;
  size_t busy = 0;
  size_t queued = 0;
  uint64_t refused = 0;
};

class WorkerPool {
 public:
  using Work = std::function<void()>;
  // Throws std::system_error when a thread cannot be started.
  explicit WorkerPool(std::vector<LaneOptions> lanes);
  // Finishes work in progress and drops waiting work.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Returns false when the lane's queue is full. The work must not throw. Thread-safe.
  bool submit(size_t lane, Work work);
  std::vector<LaneState> state() const;

 private:
  struct Lane {
    LaneOptions options;
    std::deque<Work> queue;
    size_t busy = 0;
    uint64_t refused = 0;
    std::condition_variable is_changed;
  };
  struct Start {
    WorkerPool* pool;
    Lane* lane;
  };
  static void* run_thread(void* start);
  void start_threads(Lane& lane);
  void stop();
  void run(Lane& lane);

  mutable std::mutex mutex_;
  std::deque<Lane> lanes_;
  std::vector<pthread_t> threads_;
  bool is_stopping_ = false;
};

}  // namespace bunraku::net
