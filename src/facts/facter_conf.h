// The file facter.conf: facts that are blocked, facts that are cached, and the locations of further
// facts.
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
  // The cached groups, with their lifetimes.
  std::map<std::string, std::chrono::seconds> lifetimes;
  std::map<std::string, std::vector<std::string>, std::less<>> groups;  // defined in the file
};

// The default location of the file.
std::string default_facter_conf(const Machine& machine);

// Reads the file and logs its errors. A missing file has no settings.
FacterConf read_facter_conf(const Machine& machine, const std::string& path, LogSink& log);

// The facts of a group, such as "networking"; empty when there is no such group. Groups of the
// configuration take precedence over built-in ones.
std::vector<std::string> facts_of_group(const FacterConf& conf, std::string_view group);

// Returns whether the fact of this name, or one that it is a part of, is blocked.
bool is_blocked(const FacterConf& conf, std::string_view name);

}  // namespace bunraku::facts
