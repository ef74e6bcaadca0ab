// Loads a shared library when one of its functions is called for the first time (see stubs.rb).
#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

// Stores the address of the library's function in its slot and returns it. Thread-safe: concurrent
// calls store the same address. A library that cannot be loaded ends the process, like a library
// that the system loads.
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
