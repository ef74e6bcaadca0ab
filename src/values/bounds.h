// Limits that keep every traversal of values and types within the stack, and every value within
// memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/system/stack.h"

namespace bunraku {

// The nesting depth of arrays, hashes and types. The reference's own stack overflows at a similar
// depth.
constexpr uint32_t kMaxNesting = 2000;

// The number of elements of one array or hash. Sequences that would run for centuries, such as
// 9223372036854775807.step(2), end here.
constexpr uint32_t kMostElements = 1 << 25;

// The number of arrays, hashes and types that one traversal visits. A small value with shared parts
// can represent a very large one: one that doubles with each level has 2^22 parts after twenty-two
// levels. Real data has thousands; the limit keeps a copying traversal within a second and some
// hundred megabytes.
constexpr uint32_t kMostParts = 1 << 22;

// The length of one text in bytes.
constexpr size_t kLongestText = size_t{1} << 28;
// The length of JSON output, such as a catalog, in bytes.
constexpr size_t kLongestDocument = size_t{1} << 30;

// Throws EvaluationError (TooDeep); `levels` is the limit.
[[noreturn]] void fail_too_deep(const char* what, uint32_t levels = kMaxNesting);
// Throws EvaluationError (TooLarge).
[[noreturn]] void fail_too_large(const char* what, uint32_t most = kMostParts);
[[noreturn]] void fail_too_long(const char* what, size_t most);

// Checks a number of elements before their memory is allocated.
inline void check_size(size_t elements) {
  if (elements > kMostElements) fail_too_large("a collection", kMostElements);
}

// Checks the length of a text that could grow without limit.
inline void check_length(size_t bytes) {
  if (bytes > kLongestText) fail_too_long("a text", kLongestText);
}

// The progress of a traversal.
struct Nesting {
  uint32_t level = 0;
  uint32_t parts = 0;  // visited since the traversal began
};

// Counts the levels and parts of a traversal: one object per call. Nested traversals have their own
// counts, so the stack is checked as well.
class NestingGuard {
 public:
  NestingGuard(Nesting& nesting, const char* what) : nesting_(nesting) {
    if (nesting_.level == kMaxNesting) fail_too_deep(what);
    if (is_stack_low()) fail_too_deep(what, nesting_.level);
    if (nesting_.parts == kMostParts) fail_too_large(what);
    ++nesting_.level;
    ++nesting_.parts;
  }
  NestingGuard(const NestingGuard&) = delete;
  NestingGuard& operator=(const NestingGuard&) = delete;
  ~NestingGuard() {
    if (--nesting_.level == 0) nesting_.parts = 0;
  }

 private:
  Nesting& nesting_;
};

}  // namespace bunraku
