// The object of the Ruby process that corresponds to a resource.
#pragma once

#include <cstdint>

#include "apply/transaction/resource.h"

namespace bunraku::ruby_types {

struct Counterpart {
  int64_t generation = 0;  // the generation of the process; see TypeWorker
  int64_t number = -1;

  static Counterpart of(const apply::Resource& resource) {
    const int64_t both = resource.counterpart();
    return both < 0 ? Counterpart{} : Counterpart{both >> 32, both & 0xffffffff};
  }
  void keep_in(apply::Resource& resource) const {
    resource.set_counterpart(generation << 32 | number);
  }
  bool is_of(int64_t current) const { return number >= 0 && generation == current; }
};

}  // namespace bunraku::ruby_types
