#include "ruby/worker/pool.h"

#include <algorithm>
#include <ranges>

namespace bunraku {

RubyPool& RubyPool::instance() {
  // Never destroyed: workers die with the process.
  static auto* const pool = new RubyPool();
  return *pool;
}

std::unique_ptr<RubyWorker> RubyPool::take(const RubyOptions& options,
                                           const std::string& configuration, std::string& reason) {
  for (;;) {
    std::unique_ptr<RubyWorker> worker;
    {
      const std::lock_guard lock(mutex_);
      const auto found =
          std::ranges::find_if(std::ranges::reverse_view(idle_), [&](const auto& idle) {
            return idle->configuration == configuration && idle->generation == options.generation;
          });
      if (found == idle_.rend()) break;
      worker = std::move(*found);
      idle_.erase(std::next(found).base());
    }
    if (worker->is_ready_again(RubyClock::now() + options.timeout)) return worker;
  }
  auto worker = RubyWorker::start(options.program, options.memory_limit, reason);
  if (worker != nullptr) worker->generation = options.generation;
  return worker;
}

void RubyPool::end() {
  std::vector<std::unique_ptr<RubyWorker>> all;
  const std::lock_guard lock(mutex_);
  all.swap(idle_);
}

void RubyPool::discard(uint64_t generation) {
  std::vector<std::unique_ptr<RubyWorker>> old;  // destroyed after the lock is released
  const std::lock_guard lock(mutex_);
  for (std::unique_ptr<RubyWorker>& worker : idle_) {
    if (worker->generation == generation) old.push_back(std::move(worker));
  }
  std::erase(idle_, nullptr);
}

void RubyPool::give_back(std::unique_ptr<RubyWorker> worker) {
  std::unique_ptr<RubyWorker> oldest;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
  if (idle_.size() > kMostIdle) {
    oldest = std::move(idle_.front());
    idle_.erase(idle_.begin());
  }
}

}  // namespace bunraku
