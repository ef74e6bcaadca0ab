// The memory of a thread's stack that deep recursions have used.
#pragma once

namespace bunraku {

// Releases the stack memory that an ended recursion of the calling thread has used; the constantly
// used part stays. For long-lived threads with a large stack.
void give_back_stack();

}  // namespace bunraku
