// Looking at resources beside the run, before the run comes to them.
//
// What is found out is kept where the run looks for it first (digests in `Context::checksums`, and
// what sources keep) and counts for as long as the files are as they were. So the run finds the
// same with and without, and changes are made in its order, one after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/system/stack.h"

namespace bunraku::apply {

// Used by the run's thread; has threads of its own while there is something to look at.
class LookAhead {
 public:
  LookAhead() = default;
  // Waits for what is being looked at; the rest is dropped.
  ~LookAhead();
  LookAhead(const LookAhead&) = delete;
  LookAhead& operator=(const LookAhead&) = delete;

  // Has `look` called by another thread, if the machine has a processor for one. What it throws is
  // dropped: the run meets it, too, and reports it.
  void add(std::function<void()> look);

 private:
  using Look = std::function<void()>;
  void begin_thread();
  void work();
  // Empty at the end.
  Look next();

  std::mutex mutex_;  // of what is below
  std::condition_variable has_changed_;
  std::deque<Look> waiting_;
  bool is_over_ = false;
  std::vector<std::unique_ptr<LargeStackThread>> threads_;  // the run's thread's alone
};

}  // namespace bunraku::apply
