// One side of a comparison of environments: a version of the environment's directory, and the
// settings with which it is compiled so that no path of the other side, or of the working tree, is
// used in its place.
#pragma once

#include <string>
#include <vector>

#include "compilation/environment_version.h"
#include "site/settings/repository.h"
#include "site/settings/settings.h"

namespace bunraku::compilation {

struct SideRequest {
  std::string name;         // a directory, or a revision
  std::string environment;  // what the compilation calls it
  std::string repository;   // the directory in which git is asked
  // Directories that stand for the environment in paths of the settings: below one of them a path
  // means the same place of this side. Absolute.
  std::vector<std::string> roots;
  // Directories of modules that both sides have beside their own.
  std::vector<std::string> modules;
  // A command that brings what git ignores, run by sh in the directory of a revision; empty: none.
  std::string bootstrap;
};

class EnvironmentSide {
 public:
  // Throws FileError when the version cannot be had or the command fails, and EvaluationError for a
  // bunraku.toml that cannot be used.
  explicit EnvironmentSide(const SideRequest& request);

  // The settings for this side: paths that are relative, or below one of the roots, are those of
  // this side; where environments are otherwise does not matter.
  SettingsSources settings(SettingsSources given) const;
  // With a slash at its end: what places in catalogs begin with.
  std::string prefix() const { return version_.directory() + "/"; }
  // The modules that the Puppetfile names and that are nowhere on the side's module path.
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
