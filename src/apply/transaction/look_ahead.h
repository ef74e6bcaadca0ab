// Looking at resources beside the run, before the run comes to them.
//
// What is found out is kept where the run looks for it first (digests in `Context::checksums`, and
// what sources keep) and counts for as long as the files are as they were. So the run finds the
// same with and without, and changes are made in its order, one after the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/system/stack.h"

namespace bunraku::apply {

class Resource;

// Used by the run's thread; has one thread of its own while there is something to look at.
class LookAhead {
 public:
  LookAhead() = default;
  // Waits for what is being looked at; the rest is dropped.
  ~LookAhead();
  LookAhead(const LookAhead&) = delete;
  LookAhead& operator=(const LookAhead&) = delete;

  // Has the resource looked at, when its type has anything that can be.
  void add(Resource& resource);
  // The run has come to the resource: looking at it any more would be done twice.
  void reached(const Resource& resource);

 private:
  struct Job {
    std::function<void()> look;
    std::atomic<bool> is_dropped = false;
  };
  void begin();
  void work();
  Job* next();

  std::deque<Job> jobs_;  // places stay
  std::unordered_map<const Resource*, Job*> of_resource_;
  std::mutex mutex_;  // of what is below
  std::condition_variable has_changed_;
  size_t added_ = 0, taken_ = 0;
  bool is_over_ = false;
  std::unique_ptr<LargeStackThread> thread_;
};

}  // namespace bunraku::apply
