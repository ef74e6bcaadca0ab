// Merging of core, external and custom facts by weight: a variable FACTER_NAME takes precedence
// over external facts, these over custom facts of default weight, and those over core facts.
#include "facts/host_facts.h"

#include <unistd.h>

#include <algorithm>

#include "base/diagnostics/log.h"
#include "facts/external_facts.h"
#include "facts/facter_conf.h"
#include "facts/text.h"

namespace bunraku::facts {
namespace {

// Returns a structured fact without its blocked parts.
DataNode without_blocked(const DataNode& value, const std::string& path, const FacterConf& conf,
                         Arena& arena) {
  if (!value.is(DataKind::kHash)) return value;
  HashFact rest(arena);
  for (const DataEntry& entry : value.entries()) {
    const std::string name = path + "." + std::string(entry.key.text_value());
    if (is_blocked(conf, name)) continue;
    rest.set(entry.key.text_value(), without_blocked(entry.value, name, conf, arena));
  }
  return rest.finish();
}

void block(FactSet& facts, const FacterConf& conf) {
  std::vector<std::string> removed;
  std::vector<std::pair<std::string, DataNode>> changed;
  for (const auto& [name, fact] : facts.facts()) {
    if (is_blocked(conf, name) || (conf.blocks_legacy && fact.kind == FactKind::kLegacy)) {
      removed.push_back(name);
      continue;
    }
    const auto has_part = [&](const std::string& blocked) {
      return blocked.starts_with(name + ".");
    };
    if (fact.kind == FactKind::kCore && std::ranges::any_of(conf.blocked, has_part)) {
      changed.emplace_back(name, without_blocked(fact.value, name, conf, facts.arena()));
    }
  }
  for (const std::string& name : removed) facts.remove(name);
  for (const auto& [name, value] : changed) facts.add(name, value);
}

std::string cache_directory(const Machine& machine) {
  constexpr std::string_view kOfPackages = "/opt/puppetlabs/facter/cache/cached_facts";
  return machine.is_directory("/opt/puppetlabs/facter") ? std::string(kOfPackages)
                                                        : "/var/cache/facter/facts";
}

ExternalOptions external_options(const Machine& machine, const HostFactOptions& options,
                                 const FacterConf& conf) {
  ExternalOptions external;
  external.directories = options.external_directories;
  if (external.directories.empty()) external.directories = conf.external_directories;
  if (external.directories.empty()) external.directories = default_external_directories(machine);
  external.directories.insert(external.directories.end(),
                              options.module_external_directories.begin(),
                              options.module_external_directories.end());
  external.blocked_files = conf.blocked;
  external.lifetimes = conf.lifetimes;
  external.cache_directory = cache_directory(machine);
  external.timings = options.timings;
  return external;
}

std::vector<std::string> environment_variables() {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  return variables;
}

}  // namespace

bool collect_host_facts(const Machine& machine, FactSet& to, const HostFactOptions& options,
                        LogSink& log) {
  const std::string file =
      options.configuration.empty() ? default_facter_conf(machine) : options.configuration;
  FacterConf conf = read_facter_conf(machine, file, log);
  if (!options.blocks) {
    conf.blocked.clear();
    conf.blocks_legacy = false;
  }
  if (!options.caches) conf.lifetimes.clear();
  collect_core_facts(machine, to, {{}, options.timings});
  block(to, conf);
  if (options.with_external && conf.has_external_facts) {
    collect_external_facts(machine, to, external_options(machine, options, conf), log);
  }
  const std::vector<std::string> variables = environment_variables();
  collect_environment_facts(variables, to);
  if (options.custom != nullptr && conf.has_custom_facts) {
    std::vector<std::string> directories = conf.custom_directories;
    directories.insert(directories.end(), options.custom_directories.begin(),
                       options.custom_directories.end());
    options.custom->collect(directories, to, options.timings);
    // No custom fact takes precedence over these.
    collect_environment_facts(variables, to);
  }
  block(to, conf);
  return options.shows_legacy || conf.shows_legacy;
}

}  // namespace bunraku::facts
