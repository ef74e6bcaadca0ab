// Ends an evaluation from outside of it.
#pragma once

#include <atomic>

namespace bunraku {

// Set by the code that wants the end, perhaps a signal handler; looked at whenever a lambda or
// function of the language is called, which then fails; taken back by the code that catches that.
inline std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace bunraku
