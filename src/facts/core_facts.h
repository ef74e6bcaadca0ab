// The facts that every host has: those of facter 4 on Linux, in the same form, without child
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

// The version of facter whose facts these correspond to.
inline constexpr std::string_view kFacterVersion = "4.3.0";

struct Timing {
  std::string subject;  // the fact, or the file of the facts
  std::chrono::microseconds time{0};
};

struct CoreOptions {
  // Returns whether a fact is wanted; subjects without a wanted fact are skipped. Empty: all are
  // wanted.
  std::function<bool(std::string_view name)> is_wanted;
  // Receives the time of each subject, unless null.
  std::vector<Timing>* timings = nullptr;
};

// Adds the core facts of the machine.
void collect_core_facts(const Machine& machine, FactSet& to, const CoreOptions& options = {});

}  // namespace bunraku::facts
