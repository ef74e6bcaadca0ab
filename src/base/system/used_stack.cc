// Releasing the memory of stacks.
#include "base/system/used_stack.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace bunraku {
namespace {

// The lowest address of the calling thread's stack; zero when it is unknown.
uintptr_t lowest_address() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(lowest);
}

}  // namespace

void give_back_stack() {
  static thread_local const uintptr_t lowest = lowest_address();
  constexpr size_t kKept = size_t{256} << 10;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) & ~uintptr_t{0xffff};
  if (lowest == 0 || here <= lowest + kKept) return;
  madvise(reinterpret_cast<void*>(lowest), here - kKept - lowest, MADV_DONTNEED);
}

}  // namespace bunraku
