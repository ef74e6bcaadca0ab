// All facts of a host: core facts, external facts, custom facts in Ruby, and what facter.conf makes
// of them.
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

// Runs the files of custom facts; there is an implementation where Ruby is known.
class CustomFacts {
 public:
  virtual ~CustomFacts() = default;
  // Loads every *.rb file of the directories, in their order, and adds what their facts resolve to.
  // `known` are the core and external facts, which the code may ask for and may replace. What goes
  // wrong is logged; nothing is thrown for it.
  virtual void collect(const std::vector<std::string>& directories, FactSet& known,
                       std::vector<Timing>* timings) = 0;
};

struct HostFactOptions {
  std::string configuration;  // the file facter.conf; the default one when empty
  bool blocks = true;         // does its list of blocked facts hold?
  bool caches = true;         // are its lifetimes heeded?
  bool with_external = true;
  // In place of the default ones; empty: these.
  std::vector<std::string> external_directories;
  // Beside those: of modules.
  std::vector<std::string> module_external_directories;
  std::vector<std::string> custom_directories;
  CustomFacts* custom = nullptr;  // null: no custom facts
  bool shows_legacy = false;
  std::vector<Timing>* timings = nullptr;
};

// Adds the facts of the machine; true when flat facts are to be shown, which the configuration may
// ask for.
bool collect_host_facts(const Machine& machine, FactSet& to, const HostFactOptions& options,
                        LogSink& log);

}  // namespace bunraku::facts
