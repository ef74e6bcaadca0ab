// Termination of relations between types that contain themselves through an alias.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bunraku {

// Stores the recursive types visited on each side of a relation. When both sides have returned to a
// visited type, the recursion ends. The rules are those of the reference, because answers depend on
// them: a side that has returned stays marked until the type that led there is left.
class RecursionGuard {
 public:
  // Runs `body` with `instance` on the left side; `body` learns whether both sides repeat.
  template <typename Body>
  bool with_this(const void* instance, Body body) {
    if (!repeats_this_) {
      if (contains(this_, instance)) {
        repeats_this_ = true;
        came_back_.push_back(instance);
      } else {
        this_.push_back(instance);
        bool result = body(both_repeat());
        repeats_this_ = false;
        std::erase(this_, instance);
        return result;
      }
    }
    return body(both_repeat());
  }

  // Runs `body` with `instance` on the right side.
  template <typename Body>
  bool with_that(const void* instance, Body body) {
    if (!repeats_that_) {
      if (contains(that_, instance)) {
        repeats_that_ = true;
      } else {
        that_.push_back(instance);
        bool result = body();
        repeats_that_ = false;
        std::erase(that_, instance);
        return result;
      }
    }
    return body();
  }

  // Adds to the right side; returns true when both sides repeat.
  bool add_that(const void* instance) {
    if (!repeats_that_) {
      if (contains(that_, instance)) {
        repeats_that_ = true;
      } else {
        that_.push_back(instance);
      }
    }
    return both_repeat();
  }

  bool is_idle() const { return this_.empty(); }
  bool repeats_this() const { return repeats_this_; }
  // Returns whether the left side has ever returned to `instance`.
  bool came_back_to(const void* instance) const { return contains(came_back_, instance); }

 private:
  static bool contains(const std::vector<const void*>& side, const void* instance) {
    return std::find(side.begin(), side.end(), instance) != side.end();
  }
  bool both_repeat() const { return repeats_this_ && repeats_that_; }

  std::vector<const void*> this_;
  std::vector<const void*> that_;
  std::vector<const void*> came_back_;
  bool repeats_this_ = false;
  bool repeats_that_ = false;
};

}  // namespace bunraku
