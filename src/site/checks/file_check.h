// What is wrong with one file of a repository, by its kind.
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
  // `environment` says where modules are; it is kept.
  FileChecks(const Settings& settings, std::shared_ptr<const Environment> environment);

  // Every problem of the file, in the order of its kind. ERB templates and Puppetfiles are checked
  // by Ruby (ruby_check.h), here only what Ruby does not look at. A file that cannot be read is a
  // problem.
  std::vector<Diagnostic> check(const FoundFile& file) const;

 private:
  void check_program(const std::string& path, bool is_template, DiagnosticList& problems) const;
  void check_data(const std::string& path, DiagnosticList& problems) const;
  Layer layer_of(const std::string& directory) const;
  void check_hiera_config(const std::string& path, DiagnosticList& problems) const;
  void check_environment_conf(const std::string& path, DiagnosticList& problems) const;
  // Where the file stands among the modules, also when it is reached through links.
  ModuleLocation location_of(const std::string& path) const;

  EnvironmentOptions options_;
  std::string codedir_;
  std::shared_ptr<const Environment> environment_;
  std::unordered_map<std::string, std::string> modules_;  // names by the real paths
};

// Problems of a module's metadata.json and of a Puppetfile, found in their text.
void check_metadata(const std::string& path, DiagnosticList& problems);
void check_puppetfile(const std::string& path, DiagnosticList& problems);

}  // namespace bunraku::checks
