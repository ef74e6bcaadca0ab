// The repository that a person works in: a control repository or a module, found from the directory
// where the program was started. It stands for an environment without being on the environment
// path.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "site/settings/repository_conf.h"

namespace bunraku {

struct Repository {
  std::string directory;  // absolute
  // Of the environment that it stands for: what bunraku.toml says, else the directory's name where
  // it is one of several environments, else "production".
  std::string environment;
  // The module that the repository is, by its metadata.json; empty: a control repository. The
  // environment of a module has no directory: its manifests are no initial ones.
  std::string module;
  // Where modules are when there is no environment.conf: those of the usual directories that exist.
  std::vector<std::string> modulepath;
  bool has_environment_conf = false;
  RepositoryConf conf;
};

// From `directory` upwards the nearest with environment.conf, Puppetfile or bunraku.toml; when
// there is none, the nearest with a metadata.json that names a module. `directory` is absolute.
// Throws EvaluationError when bunraku.toml cannot be used.
std::optional<Repository> find_repository(const std::string& directory);

// The directory as a repository, whatever is in it. Throws as above.
Repository open_repository(const std::string& directory);

// The modules that the Puppetfile of the directory names, as it is usually written; none without
// one.
std::vector<std::string> puppetfile_modules(const std::string& directory);

}  // namespace bunraku
