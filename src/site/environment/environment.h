// An environment: its manifests and modules, their files, and the programs parsed from them. State
// that has been read never changes, so a compilation (and all that share the environment) sees one
// state of the files. Safe from any thread.
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
class KeptTexts;
struct NativeType;
struct Repository;

// The settings that concern environments.
struct EnvironmentOptions {
  // Whether the metadata.json of modules are read; callers that only need the locations of files
  // skip them.
  bool reads_metadata = true;
  // Where the names of files in modules, and what is used of their metadata.json, are kept between
  // processes; empty: nowhere.
  std::string texts_directory;
  // The repository that acts as the environment of its name; null: none.
  std::shared_ptr<const Repository> repository;
  std::vector<std::string> environmentpath;
  std::vector<std::string> basemodulepath;
  std::vector<std::string> vendored_modules;  // directories that hold module directories
  std::string default_manifest = "./manifests";
  bool disable_per_environment_manifest = false;
  // The setting `versioned_environment_dirs`: an environment that is a symbolic link is replaced by
  // the directory that it names.
  bool follows_links = false;
  // The setting `report_configured_environmentpath`: catalogs show paths below the link.
  bool reports_links = true;
  // Settings of the command line or of bunraku.toml, which take precedence over environment.conf.
  std::optional<std::string> manifest;
  std::optional<std::vector<std::string>> modulepath;
  std::optional<std::string> config_version;
  // Code in place of the manifest (the setting `code`).
  std::optional<std::string> code;
  std::string code_name;   // the name of the code in messages; empty: none
  SettingLookup settings;  // for interpolation in environment.conf
  ParseSettings parse;
  ProblemLimits limits;
};

class Environment {
 public:
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  // Finds `name` along the environment path. Throws EvaluationError when it does not exist.
  static std::shared_ptr<Environment> find(const std::string& name, EnvironmentOptions options);
  // An environment without a directory: modules of the base path and code alone.
  static std::shared_ptr<Environment> without_directory(const std::string& name,
                                                        EnvironmentOptions options);

  const std::string& name() const { return name_; }
  // Empty when the environment has none.
  const std::string& directory() const { return directory_; }
  // Returns whether an absolute path is the directory or is below it; always true without a
  // directory.
  bool holds(std::string_view path) const {
    if (!path.starts_with(directory_)) return false;
    path.remove_prefix(directory_.size());
    return directory_.empty() || path.empty() || path.front() == '/';
  }
  // The path of a file as catalogs show it. It differs where a symbolic link has been replaced.
  std::string reported_path(std::string_view path) const;
  // The repository that acts as this environment; null when it is a directory of the environment
  // path.
  const Repository* repository() const;
  const std::string& manifest() const { return manifest_; }
  // As the setting `modulepath` is shown: with directories that do not exist.
  const std::vector<std::string>& modulepath() const { return modulepath_; }
  const EnvironmentConf& conf() const { return conf_; }
  // The command; no value or an empty one: catalogs have the time as their version.
  const std::optional<std::string>& config_version() const {
    return options_.config_version ? options_.config_version : conf_.config_version;
  }
  // The line of environment.conf that sets the command; no file where something else does.
  Range config_version_line() const {
    return options_.config_version ? Range{} : conf_.config_version_line;
  }
  const ProblemLimits& problem_limits() const { return options_.limits; }
  // Problems of its settings, to be logged once.
  const std::vector<SettingsProblem>& problems() const { return problems_; }
  // Returns whether it sets a manifest although the settings forbid that for environments.
  // Compilations then fail.
  bool has_forbidden_manifest() const;

  // --- modules ---
  std::span<const Module> modules() const;
  const Module* find_module(std::string_view name) const;
  // The path of "module/name" in the directory `kind` of a module, or an absolute path itself; no
  // value when there is no such file.
  std::optional<std::string> find_file(std::string_view kind, std::string_view name) const;
  // The same, whether or not the file exists.
  std::optional<std::string> path_of_file(std::string_view kind, std::string_view name) const;
  // Returns whether the module (null: the environment itself) has the file, given relative to its
  // directory.
  bool has_file(const Module* module, std::string_view relative_path) const;
  // The first of all modules that has the file; null when none has.
  const Module* find_module_with(std::string_view relative_path) const;
  // Returns whether several modules have a Ruby function at the path, relative to their directories
  // of functions. Then the caller of the function decides which one is called.
  bool is_function_shared(std::string_view path) const;
  // The module that the file belongs to; null for a file of the environment.
  const Module* module_of(std::string_view path) const;
  // The paths of all files of the module (null: the environment itself) that are found by name,
  // relative to its directory. Observers of reads are not notified.
  const std::unordered_set<std::string>& files_of(const Module* module) const;
  // Returns whether any module has the directory. The module `likely` (null: none) is asked first.
  bool has_directory(std::string_view relative_directory, const Module* likely) const;
  std::string path_in(const Module* module, std::string_view relative_path) const;
  // The modules in the order in which code of `from` (null: the environment) sees them: itself, its
  // dependencies, and all others.
  std::vector<const Module*> visible_modules(const Module* from) const;

  // --- programs ---
  // Throws EvaluationError when the file cannot be read.
  ParsedFilePointer parse(const std::string& path, SourceForm form = SourceForm::kManifest) const;
  // Parses text that is not in a file; messages show the source's path.
  ParsedFilePointer parse_text(SourcePointer source, SourceForm form) const;
  // The initial manifests in order; empty when there are none.
  std::vector<ParsedFilePointer> initial_manifests() const;

  // --- functions ---
  // The native function that Loader has found for a module's file, cached for later compilations;
  // null when none is cached. Functions live as long as the process.
  const Function* kept_function(Name name) const;
  void keep_function(Name name, const Function* function) const;

  // The same cache for types of modules in Ruby, which live as long as the environment.
  const NativeType* kept_type(Name name) const;
  // Returns the cached type, which may be one that another thread has stored first.
  const NativeType* keep_type(Name name, std::shared_ptr<const NativeType> type) const;

  // --- types ---
  SharedTypes& shared_types() const { return *shared_types_; }

 private:
  Environment(std::string name, std::string directory, EnvironmentOptions options);
  void read_conf();
  void set_manifest();
  void set_modulepath();
  void find_modules();
  void open_kept_texts();
  void add_module(std::string_view name, std::string directory);
  struct Files {
    Files(std::string root, KeptTexts* texts);
    FileIndex index;
    std::once_flag listed;
    std::unordered_set<std::string> paths;  // of all files, set when `listed` is
  };
  Files& own_files(const Module* module) const;
  const Module* holder_of(std::string_view relative_path) const;
  // In the order of modules.
  const std::vector<const Module*>& modules_with(std::string_view directory) const;
  std::vector<ParsedFilePointer> find_initial_manifests() const;
  ParsedFilePointer parse_once(const std::string& path, SourceForm form) const;
  // Reports the list of modules to the observer.
  void report_listings(ReadObserver& observer) const;
  void report_module(ReadObserver& observer, std::string_view name, const Module* module) const;

  std::string name_;
  std::string directory_;
  std::string link_;  // that `directory_` has replaced; empty: none, or it is not reported
  EnvironmentOptions options_;
  EnvironmentConf conf_;
  std::string manifest_;
  std::vector<std::string> modulepath_;
  std::unique_ptr<KeptTexts> kept_texts_;  // null: none are used
  std::vector<Module> modules_;
  struct DirectoryListing {
    std::string directory;
    std::vector<std::string> names;
  };
  std::vector<DirectoryListing> listings_;  // the directories that contain modules
  // Directories of modules that are ignored because of their metadata.json.
  struct LeftOut {
    std::string directory;
    std::string metadata;  // the file
    std::string digest;
  };
  std::vector<LeftOut> left_out_;
  std::unordered_map<Name, const Module*> modules_by_name_;
  std::vector<SettingsProblem> problems_;

  std::vector<std::unique_ptr<Files>> files_;  // the environment's own, then those of modules_
  // The digests reported for directories that contain modules, computed for the first observer.
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
