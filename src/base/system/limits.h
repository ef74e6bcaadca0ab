// What one piece of work may take: time, memory, and whether it is still wanted.
//
// The limits belong to the thread while a WorkLimits stands; what does much work calls
// check_limits() now and then, and arenas report the memory that they take. What goes over a limit
// ends with LimitError, which is no error of the language, so that no code can rescue it; the other
// threads go on.
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

// What a request may take. Everything is optional.
struct RequestLimits {
  std::chrono::milliseconds timeout{0};  // 0: none
  size_t memory = 0;                     // bytes in arenas; 0: none
  // Set by any thread to end the work; null: it cannot be cancelled.
  std::shared_ptr<const std::atomic<bool>> is_cancelled;
};

class WorkLimits {
 public:
  // They are those of this thread until this is destroyed, on the same thread.
  explicit WorkLimits(const RequestLimits& limits);
  ~WorkLimits();
  WorkLimits(const WorkLimits&) = delete;
  WorkLimits& operator=(const WorkLimits&) = delete;

  // The limits of this thread; null when it has none.
  static WorkLimits* current() { return current_; }

  // Throws LimitError.
  void check();
  // The same, looking at the clock only now and then.
  void check_often() {
    if ((++count_ & 63) == 0) check();
  }
  // An arena takes or gives back memory. Taking throws LimitError.
  void take(size_t bytes);
  void give_back(size_t bytes) { used_ -= bytes < used_ ? bytes : used_; }

  bool can_be_cancelled() const { return is_cancelled_ != nullptr; }
  // How long the work may still go on; nothing when it has no deadline.
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

// Cheap enough for every call of a function.
inline void check_limits() {
  if (WorkLimits* limits = WorkLimits::current()) limits->check_often();
}

// What each of `threads` workers may take in arenas, so that the process stays below `total` bytes:
// a third of what is left beside the process's present size, divided among them; at least 16 MiB.
// The other two thirds are for what is not in arenas, such as texts and tables.
size_t memory_share(size_t total, size_t threads);

}  // namespace bunraku
