// The facts that every host has: what facter 4 collects on Linux, in the same form, without child
// processes.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/fact_set.h"
#include "facts/machine.h"

namespace bunraku::facts {

// The version of the collection of facts that this one is like.
inline constexpr std::string_view kFacterVersion = "4.3.0";

struct Timing {
  std::string subject;  // the fact, or the file that facts come from
  std::chrono::microseconds time{0};
};

struct CoreOptions {
  // Is a fact wanted? Subjects none of whose facts are wanted are not looked at. All are when
  // empty.
  std::function<bool(std::string_view name)> is_wanted;
  // How long each subject took; not noted when null.
  std::vector<Timing>* timings = nullptr;
};

// Adds the core facts of the machine.
void collect_core_facts(const Machine& machine, FactSet& to, const CoreOptions& options = {});

}  // namespace bunraku::facts
