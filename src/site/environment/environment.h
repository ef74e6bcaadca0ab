// An environment: where its manifests and modules are, which files they hold, and the programs
// parsed from them. What it has seen stays as it was for as long as it lives, so that a compilation
// (and all that share the environment) sees one state of the files. Safe from any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/system/reads.h"
#include "site/environment/environment_conf.h"
#include "site/environment/file_index.h"
#include "site/environment/module.h"
#include "site/environment/problem_limits.h"
#include "site/environment/program_cache.h"
#include "site/environment/shared_types.h"
#include "site/settings/settings.h"

namespace bunraku {

class Function;
struct NativeType;
struct Repository;

// What the settings say of environments.
struct EnvironmentOptions {
  // Are the metadata.json of modules read? Who only wants to know where things are needs none.
  bool reads_metadata = true;
  // The repository that stands for the environment of its name; null: none.
  std::shared_ptr<const Repository> repository;
  std::vector<std::string> environmentpath;
  std::vector<std::string> basemodulepath;
  std::vector<std::string> vendored_modules;  // directories that hold module directories
  std::string default_manifest = "./manifests";
  bool disable_per_environment_manifest = false;
  // The setting `versioned_environment_dirs`: an environment that is a link is the directory it
  // names.
  bool follows_links = false;
  // From the command line; they win over environment.conf.
  std::optional<std::string> manifest;
  std::optional<std::vector<std::string>> modulepath;
  // Code in place of the manifest (the setting `code`).
  std::optional<std::string> code;
  std::string code_name;   // what messages call it; empty: nothing
  SettingLookup settings;  // for interpolation in environment.conf
  ParseSettings parse;
  ProblemLimits limits;
};

class Environment {
 public:
  // Looks for `name` along the environment path. Throws EvaluationError when there is none.
  static std::shared_ptr<Environment> find(const std::string& name, EnvironmentOptions options);
  // An environment without a directory: modules of the base path and code alone.
  static std::shared_ptr<Environment> without_directory(const std::string& name,
                                                        EnvironmentOptions options);

  const std::string& name() const { return name_; }
  // Empty when it has none.
  const std::string& directory() const { return directory_; }
  // Whether an absolute path is the directory or lies in it; true where there is no directory.
  bool holds(std::string_view path) const {
    if (!path.starts_with(directory_)) return false;
    path.remove_prefix(directory_.size());
    return directory_.empty() || path.empty() || path.front() == '/';
  }
  // The repository that stands for it; null when it is a directory of the environment path.
  const Repository* repository() const;
  const std::string& manifest() const { return manifest_; }
  // As the setting `modulepath` shows it: directories that do not exist are among them.
  const std::vector<std::string>& modulepath() const { return modulepath_; }
  const EnvironmentConf& conf() const { return conf_; }
  const std::optional<std::string>& config_version() const { return conf_.config_version; }
  const ProblemLimits& problem_limits() const { return options_.limits; }
  // What is wrong with its settings, to be logged once.
  const std::vector<SettingsProblem>& problems() const { return problems_; }
  // Does it set a manifest although the settings say that no environment may? Nothing is compiled
  // then.
  bool has_forbidden_manifest() const;

  // --- modules ---
  std::span<const Module> modules() const;
  const Module* find_module(std::string_view name) const;
  // The path of "module/name" in the directory `kind` of a module, or an absolute path itself, if
  // there is such a file.
  std::optional<std::string> find_file(std::string_view kind, std::string_view name) const;
  // Does the module (null: the environment itself) hold the file, given relative to its directory?
  bool has_file(const Module* module, std::string_view relative_path) const;
  // The first of all modules that holds the file; null when none does.
  const Module* find_module_with(std::string_view relative_path) const;
  // Do several modules have a function in Ruby at the path, relative to their directories of
  // functions? Which of them counts depends on who calls it.
  bool is_function_shared(std::string_view path) const;
  // The module that the file belongs to; null when it is the environment's.
  const Module* module_of(std::string_view path) const;
  // The paths of the files below manifests, functions, types, lib/puppet and plans of the module
  // (null: the environment itself), relative to its directory. Observers of reads are not notified.
  const std::unordered_set<std::string>& files_of(const Module* module) const;
  // Does any module have the directory?
  bool has_directory(std::string_view relative_directory) const;
  std::string path_in(const Module* module, std::string_view relative_path) const;
  // Modules in the order in which code of `from` (null: the environment) sees them: itself, what it
  // depends on, all others.
  std::vector<const Module*> visible_modules(const Module* from) const;

  // --- programs ---
  // Throws EvaluationError when the file cannot be read.
  ParsedFilePointer parse(const std::string& path, SourceForm form = SourceForm::kManifest) const;
  // Text that is no file; messages call it by the source's path.
  ParsedFilePointer parse_text(SourcePointer source, SourceForm form) const;
  // The initial manifests in their order; empty when there are none.
  std::vector<ParsedFilePointer> initial_manifests() const;

  // --- functions ---
  // What Loader has found to be the native function of a module's file, for the next compilation;
  // null when nothing is kept. Functions live as long as the process.
  const Function* kept_function(Name name) const;
  void keep_function(Name name, const Function* function) const;

  // The same of types that modules have in Ruby, which live as long as the environment.
  const NativeType* kept_type(Name name) const;
  // Gives the one that is kept, which may be another thread's.
  const NativeType* keep_type(Name name, std::shared_ptr<const NativeType> type) const;

  // --- types ---
  SharedTypes& shared_types() const { return *shared_types_; }

 private:
  Environment(std::string name, std::string directory, EnvironmentOptions options);
  void read_conf();
  void set_manifest();
  void set_modulepath();
  void find_modules();
  void add_module(std::string_view name, std::string directory);
  struct Files {
    explicit Files(std::string root);
    FileIndex index;
    std::once_flag listed;
    std::unordered_set<std::string> paths;  // of all files, once they are listed
  };
  Files& own_files(const Module* module) const;
  const Module* holder_of(std::string_view relative_path) const;
  // In their order.
  const std::vector<const Module*>& modules_with(std::string_view directory) const;
  std::vector<ParsedFilePointer> find_initial_manifests() const;
  ParsedFilePointer parse_once(const std::string& path, SourceForm form) const;
  // Which modules there are.
  void report_listings(ReadObserver& observer) const;
  void report_module(ReadObserver& observer, std::string_view name, const Module* module) const;

  std::string name_;
  std::string directory_;
  EnvironmentOptions options_;
  EnvironmentConf conf_;
  std::string manifest_;
  std::vector<std::string> modulepath_;
  std::vector<Module> modules_;
  struct DirectoryListing {
    std::string directory;
    std::vector<std::string> names;
  };
  std::vector<DirectoryListing> listings_;  // of the directories that hold modules
  // Directories of modules that do not count because of what is in their metadata.json.
  struct LeftOut {
    std::string directory;
    std::string metadata;  // the file
    std::string digest;
  };
  std::vector<LeftOut> left_out_;
  std::unordered_map<Name, const Module*> modules_by_name_;
  std::vector<SettingsProblem> problems_;

  std::vector<std::unique_ptr<Files>> files_;  // the environment's own, then those of modules_
  // What is reported of the directories that hold modules, worked out for the first observer.
  struct DirectoryDigests {
    std::vector<std::string> digests;  // of the names in each of listings_
    SearchedDirectories modules;
  };
  const DirectoryDigests& directory_digests() const;
  mutable std::once_flag has_directory_digests_;
  mutable DirectoryDigests directory_digests_;
  mutable std::once_flag has_initial_manifests_;
  mutable std::vector<ParsedFilePointer> initial_manifests_;
  mutable std::shared_mutex holders_mutex_;
  mutable std::unordered_map<std::string, const Module*> holders_;  // by path; null: none
  mutable std::unordered_map<std::string, std::vector<const Module*>> directory_holders_;
  mutable std::shared_mutex functions_mutex_;
  mutable std::unordered_map<Name, const Function*> functions_;
  mutable std::unordered_map<Name, std::shared_ptr<const NativeType>> types_;
  mutable std::shared_mutex programs_mutex_;
  mutable std::unordered_map<std::string, ParsedFilePointer> programs_;
  std::unique_ptr<SharedTypes> shared_types_;
};

}  // namespace bunraku
