// One side of a comparison of environments: a version of the environment's directory, and settings
// for compiling it in which no path leads to the other side or the working tree.
#pragma once

#include <string>
#include <vector>

#include "compilation/environment_version.h"
#include "site/settings/repository.h"
#include "site/settings/settings.h"

namespace bunraku::compilation {

struct SideRequest {
  std::string name;         // a directory, or a revision
  std::string environment;  // the name of the environment in the compilation
  std::string repository;   // the directory for git commands
  // Absolute directories that represent the environment in paths of the settings: a path below one
  // of them means the same place in this side.
  std::vector<std::string> roots;
  // Directories of modules that both sides have in addition to their own.
  std::vector<std::string> modules;
  // A command that fetches files ignored by git, run by sh in the directory of a revision; empty:
  // none.
  std::string bootstrap;
};

class EnvironmentSide {
 public:
  // Throws FileError when the version is not available or the command fails, and EvaluationError
  // for an invalid bunraku.toml.
  explicit EnvironmentSide(const SideRequest& request);

  // The settings for this side: relative paths, and paths below one of the roots, refer to this
  // side; other locations of environments are not used.
  SettingsSources settings(SettingsSources given) const;
  // The prefix of places in catalogs: the directory with a slash at its end.
  std::string prefix() const { return version_.directory() + "/"; }
  // The modules in the Puppetfile that are not on the side's module path.
  std::vector<std::string> missing_modules(const std::vector<std::string>& found) const;

 private:
  std::string rebased(const std::string& path) const;
  std::string rebased_list(std::string_view paths) const;
  void add_modules(SettingsSources& given) const;
  void unpack_cached_modules() const;
  void run_bootstrap(const SideRequest& request) const;

  EnvironmentVersion version_;
  std::vector<std::string> roots_;
  std::vector<std::string> modules_;
  Repository repository_;
};

}  // namespace bunraku::compilation
