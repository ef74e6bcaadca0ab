// The bound on how deeply values and types may be nested, which keeps every recursion over them
// within the stack.
#pragma once

#include <cstdint>

namespace bunraku {

// Levels of arrays, hashes and types in each other. The reference's own stack ends at a similar
// depth.
constexpr uint32_t kMaxNesting = 2000;

// Throws EvaluationError (TooDeep).
[[noreturn]] void fail_too_deep(const char* what);

// Counts the levels of a recursion: one lives in every call.
class NestingGuard {
 public:
  NestingGuard(uint32_t& level, const char* what) : level_(level) {
    if (++level_ > kMaxNesting) {
      --level_;
      fail_too_deep(what);
    }
  }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;
  ~NestingGuard() { --level_; }

 private:
  uint32_t& level_;
};

}  // namespace bunraku
