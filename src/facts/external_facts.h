// Facts from files that an administrator lays into directories: text, YAML, JSON, and programs.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "facts/core_facts.h"
#include "facts/fact_set.h"
#include "facts/machine.h"

namespace bunraku {
class LogSink;
}

namespace bunraku::facts {

struct ExternalOptions {
  std::vector<std::string> directories;    // the facts of the first count
  std::vector<std::string> blocked_files;  // names of files that are left out
  // Files, by their names, whose facts are kept, and for how long; each in a file of the same name
  // in the directory, in the reference's form.
  std::map<std::string, std::chrono::seconds> lifetimes;
  std::string cache_directory;
  std::vector<Timing>* timings = nullptr;
};

// The directories that are read when none are named: for root those of the system, otherwise those
// in the user's home.
std::vector<std::string> default_external_directories(const Machine& machine);

// Adds the facts of the files, in place of core facts of the same names. A directory that is not
// there has none. Names are in lower case. What cannot be read is logged and left out.
void collect_external_facts(const Machine& machine, FactSet& to, const ExternalOptions& options,
                            LogSink& log);

// Adds the facts of environment variables FACTER_NAME, which go before all others.
void collect_environment_facts(const std::vector<std::string>& environment, FactSet& to);

}  // namespace bunraku::facts
