// A shared library that is loaded on demand, so that the program starts without it and runs where
// it is not installed.
#pragma once

#include <cstddef>
#include <stdexcept>

namespace bunraku {

// The error for a missing library or function.
class LibraryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class LibraryScope {
  kShared,
  // With its own C library and all other dependencies: for one whose imports the program would
  // otherwise satisfy with functions of the same name. Its allocations must be freed by its own
  // `free`.
  kSeparate,
};

// Loaded in the constructor, and kept for the life of the process. Thread-safe.
class LazyLibrary {
 public:
  // `name` is for the system's loader; `purpose` names in the message what needs the library.
  // Throws LibraryError when the library is not installed.
  LazyLibrary(const char* name, const char* purpose, LibraryScope scope = LibraryScope::kShared);

  // Finds a function of the library. Throws LibraryError when there is none of the name.
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

// Throws std::bad_alloc unless the system can provide `bytes` more of memory. For libraries that
// crash when an allocation fails.
void expect_memory(size_t bytes);

}  // namespace bunraku
