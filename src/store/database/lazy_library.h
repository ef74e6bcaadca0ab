// A shared library that is loaded when it is needed.
#pragma once

namespace bunraku::store {

// Loaded when it is made, and kept for the life of the process.
class LazyLibrary {
 public:
  // `name` as the system's loader takes it; `purpose` says in the message what needs it. Throws
  // StoreError (kUnavailable) when the library is not installed.
  LazyLibrary(const char* name, const char* purpose);

  // The library's function. Throws StoreError (kUnavailable) when it has none of the name.
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

}  // namespace bunraku::store
