// Loading of libraries and look-up of their functions.
#include "base/system/lazy_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <new>

namespace bunraku {

LazyLibrary::LazyLibrary(const char* name, const char* purpose, LibraryScope scope)
    : name_(name),
      purpose_(purpose),
      handle_(scope == LibraryScope::kSeparate ? dlmopen(LM_ID_NEWLM, name, RTLD_NOW | RTLD_LOCAL)
                                               : dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  throw LibraryError(
      fmt::format("The library {} for {} cannot be loaded: {}", name, purpose, dlerror()));
}

void* LazyLibrary::address_of(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address != nullptr) return address;
  throw LibraryError(
      fmt::format("The library {} for {} has no function {}", name_, purpose_, name));
}

void expect_memory(size_t bytes) {
  void* const block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  munmap(block, bytes);
}

}  // namespace bunraku
