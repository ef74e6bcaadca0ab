// The program's entry point, and its behaviour without memory.
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

// Runs everything on a large stack, independent of the process's limit.
int main(int count, char** words) {
  int exit_code = 1;
  auto program = [&] {
    exit_code =
        bunraku::run_program(std::vector<std::string>(words + (count > 0 ? 1 : 0), words + count));
  };
  bunraku::run_on_large_stack(program);
  return exit_code;
}
