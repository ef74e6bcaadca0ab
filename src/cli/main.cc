// The program's entry point, and its behaviour without memory.
#ifdef BUNRAKU_USES_MIMALLOC
#include <mimalloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "base/system/stack.h"
#include "cli/frame/program.h"

// mimalloc's operators end the process when memory is refused. These use its malloc, but throw.
void* operator new(std::size_t size) {
  if (void* block = std::malloc(size == 0 ? 1 : size)) return block;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

namespace {

// Gives the allocator memory in huge pages, for the threads that are started first. A compilation
// uses about two thousand small pages, whose faults take a tenth of the time of a short run, and
// two fifths of it in some virtual machines. A system without huge pages uses small ones.
void reserve_huge_pages() {
#ifdef BUNRAKU_USES_MIMALLOC
  constexpr size_t kSegment = size_t{32} << 20;  // mimalloc's unit, by which it aligns
  constexpr size_t kSize = 2 * kSegment;
  constexpr size_t kMapped = kSize + kSegment;
  void* const mapped = mmap(nullptr, kMapped, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return;
  const size_t before = -reinterpret_cast<uintptr_t>(mapped) % kSegment;
  auto* const start = static_cast<std::byte*>(mapped) + before;
  if (before != 0) munmap(mapped, before);
  munmap(start + kSize, kMapped - before - kSize);
  // Ruby switches huge pages off, also for the processes that it starts.
  prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
  madvise(start, kSize, MADV_HUGEPAGE);
  constexpr bool kCommitted = true, kLarge = false, kZero = true;
  mi_manage_os_memory(start, kSize, kCommitted, kLarge, kZero, /*numa_node=*/-1);
#endif
}

}  // namespace

// Runs everything on a large stack, independent of the process's limit.
int main(int count, char** words) {
  reserve_huge_pages();
  int exit_code = 1;
  auto program = [&] {
    exit_code =
        bunraku::run_program(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
  };
  bunraku::run_on_large_stack(program);
  return exit_code;
}
