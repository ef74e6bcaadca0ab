// Profiling: spans of work with a kind and a name, recorded on demand.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace bunraku {

enum class WorkKind : uint8_t { kNode, kFile, kResource, kFunction, kLookup, kTemplate, kRuby };
std::string_view name_of(WorkKind kind);

class Profile {
 public:
  using Clock = std::chrono::steady_clock;

  // Is the profile of the process during its lifetime; only one at a time.
  Profile();
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // The trace in Chrome's format, with a bounded number of spans, the earliest ones.
  std::string trace() const;
  // A table per kind of the slowest items, with their own time and the total. `rows` per kind.
  std::string table(size_t rows) const;

  // Null when there is no profile.
  static Profile* current() { return current_.load(std::memory_order_relaxed); }

 private:
  friend class ProfileSpan;
  struct Span {
    WorkKind kind;
    std::string name;
    int64_t begin;  // nanoseconds since the profile began
    int64_t duration;
    uint32_t thread;
  };
  struct Sum {
    uint64_t count = 0;
    int64_t total = 0;  // in nanoseconds, without recursive calls
    int64_t own = 0;
  };

  void add(WorkKind kind, std::string_view name, Clock::time_point begin, int64_t duration,
           int64_t own, bool is_outermost);

  static inline std::atomic<Profile*> current_{nullptr};
  Clock::time_point begun_ = Clock::now();
  mutable std::mutex mutex_;
  std::vector<Span> spans_;
  uint64_t dropped_ = 0;
  std::map<std::pair<WorkKind, std::string>, Sum, std::less<>> sums_;
  std::map<uint64_t, uint32_t> threads_;
};

// A span of work, from construction to destruction. The name's text must live as long.
class ProfileSpan {
 public:
  ProfileSpan(WorkKind kind, std::string_view name) {
    if (Profile::current() != nullptr) begin(kind, name);
  }
  ProfileSpan(WorkKind kind, std::string&& name) = delete;
  ~ProfileSpan() {
    if (is_begun_) end();
  }
  ProfileSpan(const ProfileSpan&) = delete;
  ProfileSpan& operator=(const ProfileSpan&) = delete;

 private:
  void begin(WorkKind kind, std::string_view name);
  void end();

  bool is_begun_ = false;
  WorkKind kind_{};
  std::string_view name_;
  Profile::Clock::time_point begin_;
  int64_t inner_ = 0;  // nanoseconds of the inner spans
  ProfileSpan* outer_ = nullptr;
};

}  // namespace bunraku
