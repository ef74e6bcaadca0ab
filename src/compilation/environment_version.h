// A version of an environment's directory to compile with: a directory, or a revision of a git
// repository, checked out into a temporary directory.
#pragma once

#include <string>

#include "base/system/temporary_directory.h"

namespace bunraku::compilation {

// The git object id of a name in the repository, a directory; empty when the name does not exist,
// or without git.
std::string revision_id(const std::string& name, const std::string& repository);

class EnvironmentVersion {
 public:
  // `name` is a directory, or git's name of a tree: "main", "HEAD~1:control-repo". `environment` is
  // the environment's name in the compilation. Throws FileError.
  EnvironmentVersion(const std::string& name, const std::string& environment,
                     const std::string& repository);

  const std::string& name() const { return name_; }
  // An environment path with only this version, under the environment's name.
  const std::string& environmentpath() const { return temporary_.path(); }
  // The environment's own directory, as in places in catalogs.
  std::string directory() const;

 private:
  std::string name_;
  std::string environment_;
  const TemporaryDirectory temporary_;
};

}  // namespace bunraku::compilation
