// Loads libraries and finds their functions.
#include "store/database/lazy_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "store/error.h"

namespace bunraku::store {

LazyLibrary::LazyLibrary(const char* name, const char* purpose)
    : name_(name), purpose_(purpose), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  throw StoreError(
      StoreErrorKind::kUnavailable,
      fmt::format("The library {} for {} cannot be loaded: {}", name, purpose, dlerror()));
}

void* LazyLibrary::address_of(const char* name) const {
  void* address = dlsym(handle_, name);
  if (address != nullptr) return address;
  throw StoreError(StoreErrorKind::kUnavailable,
                   fmt::format("The library {} for {} has no function {}", name_, purpose_, name));
}

}  // namespace bunraku::store
