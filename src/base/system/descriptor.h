// An open file, socket or pipe that has one owner.
#pragma once

#include <unistd.h>

#include <utility>

namespace bunraku {

// Closes its descriptor when it is destroyed, if it has one.
class Descriptor {
 public:
  Descriptor() = default;
  // Takes the descriptor over; a negative number is none, as open() and the like return it.
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // The caller closes it from now on.
  int release() { return std::exchange(number_, -1); }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace bunraku
