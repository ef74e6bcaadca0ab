// Interruption of an evaluation from outside.
#pragma once

#include <atomic>

namespace bunraku {

// Set by the code that interrupts, perhaps a signal handler. Tested at each call of a lambda or
// function of the language, which then fails. Reset by the code that catches the failure.
inline std::atomic<bool> is_interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace bunraku
