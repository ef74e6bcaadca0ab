// Checks one file of a repository, by its kind.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "site/checks/file_kind.h"
#include "site/environment/environment.h"
#include "site/lookup/hiera_config.h"
#include "site/settings/settings.h"

namespace bunraku::checks {

// Safe from any thread.
class FileChecks {
 public:
  // `environment` has the locations of modules; it is kept alive.
  FileChecks(const Settings& settings, std::shared_ptr<const Environment> environment);

  // Returns all problems of the file, in order. The syntax of ERB templates and Puppetfiles is
  // checked by Ruby (ruby_check.h); here they get only the checks that Ruby does not have. A file
  // that cannot be read is a problem.
  std::vector<Diagnostic> check(const FoundFile& file) const;

 private:
  void check_program(const std::string& path, bool is_template, DiagnosticList& problems) const;
  void check_data(const std::string& path, DiagnosticList& problems) const;
  Layer layer_of(const std::string& directory) const;
  void check_hiera_config(const std::string& path, DiagnosticList& problems) const;
  void check_environment_conf(const std::string& path, DiagnosticList& problems) const;
  // The file's place among the modules, also when it was reached through symbolic links.
  ModuleLocation location_of(const std::string& path) const;

  EnvironmentOptions options_;
  std::string codedir_;
  std::shared_ptr<const Environment> environment_;
  std::unordered_map<std::string, std::string> modules_;  // module names by the modules' real paths
};

// Checks of a module's metadata.json and of a Puppetfile, by their text.
void check_metadata(const std::string& path, DiagnosticList& problems);
void check_puppetfile(const std::string& path, DiagnosticList& problems);

}  // namespace bunraku::checks
