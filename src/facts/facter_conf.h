// The file facter.conf: which facts are blocked, which are kept for a while, where others are
// found.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "facts/machine.h"

namespace bunraku {
class LogSink;
}

namespace bunraku::facts {

struct FacterConf {
  std::vector<std::string> external_directories;
  std::vector<std::string> custom_directories;
  bool has_external_facts = true;
  bool has_custom_facts = true;
  bool shows_legacy = false;
  // Names of facts, "os" or "networking.ip", and of files of external facts.
  std::vector<std::string> blocked;
  bool blocks_legacy = false;
  // Groups whose facts are kept, and for how long.
  std::map<std::string, std::chrono::seconds> lifetimes;
  std::map<std::string, std::vector<std::string>, std::less<>> groups;  // the file's own
};

// Where the file is when none is named.
std::string default_facter_conf(const Machine& machine);

// Reads the file; what is wrong with it is logged. A file that is not there says nothing.
FacterConf read_facter_conf(const Machine& machine, const std::string& path, LogSink& log);

// The facts of a group of facts, "networking"; empty when there is no such group. Groups of the
// configuration go before those that are always there.
std::vector<std::string> facts_of_group(const FacterConf& conf, std::string_view group);

// Is the fact of this name, or the one that it is a part of, blocked?
bool is_blocked(const FacterConf& conf, std::string_view name);

}  // namespace bunraku::facts
