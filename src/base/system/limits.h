// The limits of one piece of work: time, memory, and cancellation.
//
//  The limits apply to the thread during the lifetime of a WorkLimits; long work calls
//  check_limits() regularly, and arenas report the memory that they take. Work that exceeds a limit
//  ends with LimitError, which is not an error of the language, so that no code can rescue it; the
//  other threads continue.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

namespace bunraku {

enum class Limit : uint8_t { kTime, kMemory, kCancelled };

class LimitError : public std::exception {
 public:
  explicit LimitError(Limit limit) : limit_(limit) {}
  Limit limit() const { return limit_; }
  const char* what() const noexcept override;

 private:
  Limit limit_;
};

// The limits of a request; all are optional.
struct RequestLimits {
  std::chrono::milliseconds timeout{0};  // 0: none
  size_t memory = 0;                     // bytes in arenas; 0: none
  // Set by any thread to cancel the work; null: it cannot be cancelled.
  std::shared_ptr<const std::atomic<bool>> is_cancelled;
};

class WorkLimits {
 public:
  // The limits apply to this thread until this is destroyed, on the same thread.
  explicit WorkLimits(const RequestLimits& limits);
  ~WorkLimits();
  WorkLimits(const WorkLimits&) = delete;
  WorkLimits& operator=(const WorkLimits&) = delete;

  // The limits of this thread; null when there are none.
  static WorkLimits* current() { return current_; }

  // Throws LimitError.
  void check();
  // The same, but reads the clock only at some calls.
  void check_often() {
    if ((++count_ & 63) == 0) check();
  }
  // Called when an arena takes or frees memory. Taking throws LimitError.
  void take(size_t bytes);
  void give_back(size_t bytes) { used_ -= bytes < used_ ? bytes : used_; }

  bool can_be_cancelled() const { return is_cancelled_ != nullptr; }
  // The time left; nothing when there is no deadline.
  std::optional<std::chrono::milliseconds> rest() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constinit thread_local WorkLimits* current_;

  WorkLimits* const outer_;
  std::optional<Clock::time_point> deadline_;
  size_t memory_;
  size_t used_ = 0;
  std::shared_ptr<const std::atomic<bool>> is_cancelled_;
  uint32_t count_ = 0;
};

// Fast enough for every call of a function.
inline void check_limits() {
  if (WorkLimits* limits = WorkLimits::current()) limits->check_often();
}

// The memory that each of `threads` workers may use in arenas, so that the process stays below
// `total` bytes: a third of the rest beside the process's present size, divided among them; at
// least 16 MiB. The other two thirds are for memory outside of arenas, such as texts and tables.
size_t memory_share(size_t total, size_t threads);

}  // namespace bunraku
