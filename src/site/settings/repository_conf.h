// bunraku.toml: what a repository says of itself to everyone who works in it.
//
//   [settings]                        # any setting of the reference
//   modulepath = "site:modules"       # paths are relative to the file's directory
//   strict = "warning"
//
//   [facts]
//   paths = ["facts", "spec/facts"]   # files and directories with facts of nodes
//
//   [ignore]
//   paths = ["vendor", "*.erb"]       # what `validate` leaves out
//   differences = ["*::loglevel"]     # as --ignore of `fleet diff` and `catalog diff`
//
//   [versions]
//   bunraku = ">= 0.1.0"              # what can work with it
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bunraku {

inline constexpr std::string_view kRepositoryConfName = "bunraku.toml";

struct RepositoryConf {
  std::string path;  // of the file; empty: there is none
  // In the order of their names, paths absolute. Names are known.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<std::string> facts;                // absolute paths
  std::vector<std::string> ignored_paths;        // patterns, relative to the file's directory
  std::vector<std::string> ignored_differences;  // patterns
  std::string bunraku_version;                   // a range of versions; empty: any

  // Null when the file does not set it.
  const std::string* find(std::string_view setting) const;
};

// Reads `directory`/bunraku.toml, where there is one. Throws EvaluationError
// for what is no TOML, unknown tables, keys and settings, and values of the wrong kind.
RepositoryConf read_repository_conf(const std::string& directory);

}  // namespace bunraku
