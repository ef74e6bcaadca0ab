// Runs the same work on the items of a list with several threads.
#pragma once

#include <cstddef>
#include <type_traits>

namespace bunraku {

// The number of threads that the machine runs in parallel; at least 1.
size_t hardware_threads();

namespace detail {
void run_in_parallel(size_t count, size_t threads, void (*work)(void* context, size_t index),
                     void* context);
}  // namespace detail

// Calls work(index) for every index below `count`, on up to `threads` threads (0: as many as the
// machine has; this thread is one of them), and returns when all are done. When calls throw, no
// further ones begin, and after the running ones have ended the exception of the lowest index is
// thrown here.
template <typename Work>
void parallel_for_each(size_t count, size_t threads, Work&& work) {
  using Callable = std::remove_reference_t<Work>;
  detail::run_in_parallel(
      count, threads,
      [](void* context, size_t index) { (*static_cast<Callable*>(context))(index); },
      const_cast<void*>(static_cast<const void*>(&work)));
}

}  // namespace bunraku
