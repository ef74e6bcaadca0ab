// The bounds that keep every walk over values and types within the stack, and every value within
// the memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/system/stack.h"

namespace bunraku {

// Levels of arrays, hashes and types in each other. The reference's own stack ends at a similar
// depth.
constexpr uint32_t kMaxNesting = 2000;

// Elements of one array or hash. What goes on for centuries, such as 9223372036854775807.step(2),
// ends here.
constexpr uint32_t kMostElements = 1 << 25;

// Arrays, hashes and types that one walk meets. A value whose parts are shared has few of them and
// stands for many: what doubles with each level has 2^22 after twenty-two. Real data has thousands;
// the bound keeps a walk that copies what it meets within a second and some hundred megabytes.
constexpr uint32_t kMostParts = 1 << 22;

// Bytes of one text.
constexpr size_t kLongestText = size_t{1} << 28;
// Bytes of what is written as JSON, such as a catalog.
constexpr size_t kLongestDocument = size_t{1} << 30;

// Throws EvaluationError (TooDeep); `levels` is the bound.
[[noreturn]] void fail_too_deep(const char* what, uint32_t levels = kMaxNesting);
// Throws EvaluationError (TooLarge).
[[noreturn]] void fail_too_large(const char* what, uint32_t most = kMostParts);
[[noreturn]] void fail_too_long(const char* what, size_t most);

// Before room for so many elements is taken.
inline void check_size(size_t elements) {
  if (elements > kMostElements) fail_too_large("a collection", kMostElements);
}

// Where a text grows without a bound of its own.
inline void check_length(size_t bytes) {
  if (bytes > kLongestText) fail_too_long("a text", kLongestText);
}

// How far a walk has come.
struct Nesting {
  uint32_t level = 0;
  uint32_t parts = 0;  // met since the walk began
};

// Counts the levels and parts of a walk: one lives in every call. Walks within walks count anew, so
// the stack is looked at as well.
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
