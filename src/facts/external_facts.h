// Facts from files in directories for administrators: text, YAML, JSON, and programs.
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
  std::vector<std::string> directories;    // earlier ones take precedence
  std::vector<std::string> blocked_files;  // names of files to skip
  // The lifetimes of cached facts, by file name. The cache of each is a file of the same name in
  // `cache_directory`, in the reference's format.
  std::map<std::string, std::chrono::seconds> lifetimes;
  std::string cache_directory;
  std::vector<Timing>* timings = nullptr;
};

// The default directories: for root those of the system, otherwise those in the user's home.
std::vector<std::string> default_external_directories(const Machine& machine);

// Adds the facts of the files, replacing core facts of the same names. A missing directory has
// none. Names are converted to lower case. Unreadable files are logged and skipped.
void collect_external_facts(const Machine& machine, FactSet& to, const ExternalOptions& options,
                            LogSink& log);

// Adds the facts of environment variables FACTER_NAME, which take precedence over all others.
void collect_environment_facts(const std::vector<std::string>& environment, FactSet& to);

}  // namespace bunraku::facts
