// Deadlines and memory accounting.
#include "base/system/limits.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace bunraku {

constinit thread_local WorkLimits* WorkLimits::current_ = nullptr;

const char* LimitError::what() const noexcept {
  switch (limit_) {
    case Limit::kTime:
      return "the time limit was reached";
    case Limit::kMemory:
      return "the memory limit was reached";
    case Limit::kCancelled:
      return "the work was cancelled";
  }
  return "a limit was reached";
}

WorkLimits::WorkLimits(const RequestLimits& limits)
    : outer_(current_), memory_(limits.memory), is_cancelled_(limits.is_cancelled) {
  if (limits.timeout.count() > 0) deadline_ = Clock::now() + limits.timeout;
  current_ = this;
}

WorkLimits::~WorkLimits() {
  current_ = outer_;
}

void WorkLimits::check() {
  if (is_cancelled_ != nullptr && is_cancelled_->load(std::memory_order_relaxed)) {
    throw LimitError(Limit::kCancelled);
  }
  if (deadline_ && Clock::now() >= *deadline_) throw LimitError(Limit::kTime);
}

void WorkLimits::take(size_t bytes) {
  if (memory_ != 0 && used_ + bytes > memory_) throw LimitError(Limit::kMemory);
  check();
  used_ += bytes;
}

std::optional<std::chrono::milliseconds> WorkLimits::rest() const {
  if (!deadline_) return std::nullopt;
  const auto rest =
      std::chrono::duration_cast<std::chrono::milliseconds>(*deadline_ - Clock::now());
  return std::max(rest, std::chrono::milliseconds(0));
}

size_t memory_share(size_t total, size_t threads) {
  constexpr size_t kLeast = size_t{16} << 20;
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  resident *= static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t rest = total > resident ? total - resident : 0;
  // Memory outside of arenas (texts under construction, tables) takes up to twice as much at times.
  return std::max(kLeast, rest / std::max<size_t>(threads, 1) / 3);
}

}  // namespace bunraku
