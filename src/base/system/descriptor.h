// An owned file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace bunraku {

// Closes its descriptor, if it has one, when it is destroyed.
class Descriptor {
 public:
  Descriptor() = default;
  // Takes ownership of the descriptor; a negative number, as returned by a failed open(), means
  // none.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // Passes ownership to the caller.
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace bunraku
