// bunraku.toml: the configuration of a repository for everyone who works in it.
//
//   [settings]                        # any setting of the reference
//   modulepath = "site:modules"       # paths are relative to the file's directory
//   strict = "warning"
//
//   [facts]
//   paths = ["facts", "spec/facts"]   # files and directories with facts of nodes
//
//   [ignore]
//   paths = ["vendor", "*.erb"]       # skipped by `validate`
//   differences = ["*::loglevel"]     # as --ignore of `fleet diff` and `catalog diff`
//
//   [versions]
//   bunraku = ">= 0.1.0"              # the versions of this program that may be used
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

inline constexpr std::string_view kRepositoryConfName = "bunraku.toml";

struct RepositoryConf {
  std::string path;  // the path of the file; empty: there is none
  // Sorted by name, with absolute paths. All names are known settings.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> facts;                // absolute paths
  std::vector<std::string> ignored_paths;        // patterns, relative to the file's directory
  std::vector<std::string> ignored_differences;  // patterns
  std::string bunraku_version;                   // a range of versions; empty: any

  // Returns null when the file does not set it.
  const std::string* find(std::string_view setting) const;
};

// Reads `directory`/bunraku.toml, if it exists. Throws EvaluationError for malformed TOML, unknown
// tables, keys and settings, and values of a wrong kind.
RepositoryConf read_repository_conf(const std::string& directory);

}  // namespace bunraku
