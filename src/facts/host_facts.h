// All facts of a host: core facts, external facts, custom facts in Ruby, filtered by facter.conf.
#pragma once

#include <string>
#include <vector>

#include "facts/core_facts.h"
#include "facts/fact_set.h"
#include "facts/machine.h"

namespace bunraku {
class LogSink;
}

namespace bunraku::facts {

// Runs the files of custom facts; implemented by a room that depends on Ruby.
class CustomFacts {
 public:
  virtual ~CustomFacts() = default;
  // Loads every *.rb file of the directories, in their order, and adds their resolved facts.
  // `known` are the core and external facts, which the code may read and replace. Errors are
  // logged; none is thrown.
  virtual void collect(const std::vector<std::string>& directories, FactSet& known,
                       std::vector<Timing>* timings) = 0;
};

struct HostFactOptions {
  std::string configuration;  // the path of facter.conf; empty: the default
  bool blocks = true;         // apply its list of blocked facts
  bool caches = true;         // apply its lifetimes
  bool with_external = true;
  // Replace the default ones; empty: the defaults.
  std::vector<std::string> external_directories;
  // Additional ones, of modules.
  std::vector<std::string> module_external_directories;
  std::vector<std::string> custom_directories;
  CustomFacts* custom = nullptr;  // null: no custom facts
  bool shows_legacy = false;
  std::vector<Timing>* timings = nullptr;
};

// Adds the facts of the machine. Returns whether flat facts are to be shown, which the
// configuration may request.
bool collect_host_facts(const Machine& machine, FactSet& to, const HostFactOptions& options,
                        LogSink& log);

}  // namespace bunraku::facts
