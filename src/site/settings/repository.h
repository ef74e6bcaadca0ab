// The repository that the user works in: a control repository or a module, found from the current
// directory upwards. It acts as an environment without being on the environment path.
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
  // The name of the environment that it acts as: set in bunraku.toml, else the directory's name
  // where it is one of several environments, else "production".
  std::string environment;
  // The module that the repository is, by its metadata.json; empty for a control repository. The
  // environment of a module has no directory, as its manifests are not initial ones.
  std::string module;
  // The module path without an environment.conf: the usual directories that exist.
  std::vector<std::string> modulepath;
  bool has_environment_conf = false;
  RepositoryConf conf;
};

// Finds the nearest directory, from `directory` upwards, with environment.conf, Puppetfile or
// bunraku.toml; without one, the nearest with a metadata.json that names a module. `directory` is
// absolute. Throws EvaluationError when bunraku.toml is invalid.
std::optional<Repository> find_repository(const std::string& directory);

// Opens the directory as a repository, whatever it contains. Throws as above.
Repository open_repository(const std::string& directory);

// Returns whether an environment may have the name: letters, digits and underscores.
bool is_environment_name(std::string_view name);

// The names of the modules in the Puppetfile of the directory, for the usual forms of its lines;
// empty without a Puppetfile.
std::vector<std::string> puppetfile_modules(const std::string& directory);

}  // namespace bunraku
