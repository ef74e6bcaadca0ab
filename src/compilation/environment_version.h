// A state of an environment's directory to compile with: a directory, or a revision of a git
// repository, taken out into a temporary place.
#pragma once

#include <string>

#include "base/system/temporary_directory.h"

namespace bunraku::compilation {

// The identity of what git has under the name in the repository, a directory; empty when there is
// nothing of that name, or no git.
std::string revision_id(const std::string& name, const std::string& repository);

class EnvironmentVersion {
 public:
  // `name` is a directory, or what git calls a tree: "main", "HEAD~1:control-repo". `environment`
  // is what the compilation calls it. Throws FileError.
  EnvironmentVersion(const std::string& name, const std::string& environment,
                     const std::string& repository);

  const std::string& name() const { return name_; }
  // An environment path that holds just this version under the environment's name.
  const std::string& environmentpath() const { return temporary_.path(); }
  // The environment's own directory, as places in catalogs have it.
  std::string directory() const;

 private:
  std::string name_;
  std::string environment_;
  const TemporaryDirectory temporary_;
};

}  // namespace bunraku::compilation
