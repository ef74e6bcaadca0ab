// Memory that deep recursions have used of a thread's stack.
#pragma once

namespace bunraku {

// What an ended recursion of the calling thread has used goes back to the system; the part of the
// stack that is used all the time stays. For threads with a large stack that live long.
void give_back_stack();

}  // namespace bunraku
