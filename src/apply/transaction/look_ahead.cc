// The threads that look ahead.
#include "apply/transaction/look_ahead.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/system/thread_pool.h"

namespace bunraku::apply {
namespace {

constexpr size_t kMostThreads = 4;

}  // namespace

LookAhead::~LookAhead() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  has_changed_.notify_all();
}

void LookAhead::add(Look look) {
  const size_t most = std::min(hardware_threads() - 1, kMostThreads);
  if (most == 0) return;
  {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(look));
  }
  has_changed_.notify_one();
  if (threads_.size() < most) begin_thread();
}

void LookAhead::begin_thread() {
  try {
    threads_.push_back(std::make_unique<LargeStackThread>([this] { work(); }));
  } catch (const std::system_error&) {
    // Fewer threads do less in advance; the run does the rest itself.
  }
}

LookAhead::Look LookAhead::next() {
  std::unique_lock lock(mutex_);
  has_changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
  if (is_over_) return {};
  Look look = std::move(waiting_.front());
  waiting_.pop_front();
  return look;
}

void LookAhead::work() {
  while (const Look look = next()) {
    try {
      look();
    } catch (const std::exception&) {
      // The run meets the same problem and reports it.
    }
  }
}

}  // namespace bunraku::apply
