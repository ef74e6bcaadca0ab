// Threads that answer requests, in lanes: long compilations do not keep files and certificates
// waiting, and a lane whose queue is full says so at once.
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
  size_t longest_queue = 1000;  // work that waits; what goes beyond is refused
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
  explicit WorkerPool(std::vector<LaneOptions> lanes);
  // Work that has begun is ended, work that waits is dropped.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False when the lane's queue is full. The work must not throw. Any thread may call it.
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
  void run(Lane& lane);

  mutable std::mutex mutex_;
  std::deque<Lane> lanes_;
  std::vector<pthread_t> threads_;
  bool is_stopping_ = false;
};

}  // namespace bunraku::net
