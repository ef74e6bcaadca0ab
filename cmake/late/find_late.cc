// Loads a shared library when one of its functions is called for the first time (see stubs.rb).
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

// Puts the address of the library's function into its slot and returns it. Any thread may call it;
// two that call it at the same time put the same address there. A library that cannot be loaded
// ends the process, as it does where the system loads it.
extern "C" void* bunraku_find_late(const char* library, const char* name,
                                   std::atomic<void*>* slot) noexcept {
  void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  void* function = handle == nullptr ? nullptr : dlsym(handle, name);
  if (function == nullptr) {
    std::fprintf(stderr, "bunraku: error while loading shared libraries: %s\n", dlerror());
    std::_Exit(127);
  }
  slot->store(function, std::memory_order_release);
  return function;
}
