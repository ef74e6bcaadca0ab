// Work on resources in other threads, before the run reaches them.
//
// Results are stored where the run looks first (digests in `Context::checksums`, and caches of
// sources) and are valid only while the files are unchanged. So the run behaves the same with and
// without this work, and makes its changes in order, one after the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/system/stack.h"

namespace bunraku::apply {

// Used by the run's thread; starts threads of its own when there is work.
class LookAhead {
 public:
  LookAhead() = default;
  // Waits for work in progress; the rest is dropped.
  ~LookAhead();
  LookAhead(const LookAhead&) = delete;
  LookAhead& operator=(const LookAhead&) = delete;

  // Has another thread call `look`, if the machine has a processor for it. Exceptions are dropped:
  // the run meets and reports the same problem.
  void add(std::function<void()> look);

 private:
  using Look = std::function<void()>;
  void begin_thread();
  void work();
  // Waits for work; returns an empty function at the end.
  Look next();

  std::mutex mutex_;  // guards the following members
  std::condition_variable has_changed_;
  std::deque<Look> waiting_;
  bool is_over_ = false;
  std::vector<std::unique_ptr<LargeStackThread>> threads_;  // used by the run's thread only
};

}  // namespace bunraku::apply
