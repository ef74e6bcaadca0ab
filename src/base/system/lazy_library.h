// A shared library that is loaded when it is needed, so that the program starts without it and runs
// where it is not installed.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace bunraku {

// The library, or a function of it, is not there.
class LibraryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class LibraryScope {
  kShared,
  // With its own C library and all else that it needs: for one that finds functions of the same
  // names in what the program is linked with. What it allocates must be freed by its own `free`.
  kSeparate,
};

// Loaded when it is made, and kept for the life of the process. Safe to use from any thread.
class LazyLibrary {
 public:
  // `name` as the system's loader takes it; `purpose` says in the message what needs it. Throws
  // LibraryError when the library is not installed.
  LazyLibrary(const char* name, const char* purpose, LibraryScope scope = LibraryScope::kShared);

  // The library's function. Throws LibraryError when it has none of the name.
  template <typename Function>
  void find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(address_of(name));
  }

 private:
  void* address_of(const char* name) const;

  const char* name_;
  const char* purpose_;
  void* handle_;
};

// Throws std::bad_alloc unless the system would grant `bytes` more of memory. Called before a
// library that crashes when an allocation fails.
void expect_memory(size_t bytes);

}  // namespace bunraku
