#include "site/environment/environment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/system/file_system.h"
#include "base/system/kept_texts.h"
#include "base/system/reads.h"
#include "base/text/digest.h"
#include "site/environment/definition_files.h"
#include "site/environment/file_place.h"
#include "site/environment/files.h"
#include "site/settings/repository.h"

namespace bunraku {
namespace {

[[noreturn]] void fail(Issue issue, std::vector<std::string> arguments) {
  throw EvaluationError(make_diagnostic(issue, Range{}, std::move(arguments)), ErrorKind::kError);
}

const Repository* repository_named(const EnvironmentOptions& options, std::string_view name) {
  const Repository* repository = options.repository.get();
  return repository != nullptr && repository->environment == name ? repository : nullptr;
}

// Directories in which files are found by name. "lib" is not among them, because most modules have
// few of the directories in it. The reference looks up each path of manifests, types and providers,
// and lists the others with Ruby's glob of "**", which does not enter links.
constexpr IndexedDirectory kIndexedDirectories[] = {
    {"manifests", Links::kEntered},
    {"functions", Links::kSkipped},
    {"types", Links::kSkipped},
    {"plans", Links::kSkipped},
    {"lib/puppet/functions", Links::kSkipped},
    {"lib/puppet/parser/functions", Links::kSkipped},
    {"lib/puppet/type", Links::kEntered},
    {"lib/puppet/provider", Links::kEntered},
    {"lib/puppet/datatypes", Links::kSkipped}};

// Empty for a name without a directory.
std::string_view directory_of(std::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == file.npos ? std::string_view() : file.substr(0, slash);
}

bool is_indexed(std::string_view directory) {
  return std::ranges::find(kIndexedDirectories, directory, &IndexedDirectory::path) !=
         std::end(kIndexedDirectories);
}

}  // namespace

ModuleLocation place_among_modules(const Environment& environment, const std::string& path) {
  const Repository* own = environment.repository();
  if (own != nullptr && !own->module.empty() && is_path_below(path, own->directory)) {
    // The directory is treated as if it had the module's name.
    const std::string modules[] = {"/modules"};
    const std::string in_module = modules[0] + "/" + own->module;
    const ModuleLocation location =
        locate_in_modules(in_module + path.substr(own->directory.size()), modules, "");
    if (location.kind == ModuleLocation::Kind::kInModule) return location;
  }
  return locate_in_modules(path, environment.modulepath(), environment.manifest());
}

std::shared_ptr<Environment> Environment::find(const std::string& name,
                                               EnvironmentOptions options) {
  if (const Repository* repository = repository_named(options, name)) {
    std::string directory = repository->module.empty() ? repository->directory : std::string();
    return std::shared_ptr<Environment>(
        new Environment(name, std::move(directory), std::move(options)));
  }
  if (options.environmentpath.empty()) {
    fail(Issue::kInvalidSetting, {"The environmentpath setting cannot be empty or nil."});
  }
  // An empty name is accepted: its directory is that of the environments.
  if (name.empty() || is_environment_name(name)) {
    for (const std::string& above : options.environmentpath) {
      std::string configured = name.empty() ? above : join_path(above, name);
      std::string directory = options.follows_links ? target_of_link(configured) : configured;
      if (!is_directory(directory)) continue;
      const bool is_link_reported = options.reports_links && configured != directory;
      std::shared_ptr<Environment> found(
          new Environment(name, std::move(directory), std::move(options)));
      if (is_link_reported) found->link_ = std::move(configured);
      return found;
    }
  }
  fail(Issue::kUnknownEnvironment,
       {name, fmt::format("{}", fmt::join(options.environmentpath, ":"))});
}

std::shared_ptr<Environment> Environment::without_directory(const std::string& name,
                                                            EnvironmentOptions options) {
  return std::shared_ptr<Environment>(new Environment(name, {}, std::move(options)));
}

Environment::Environment(std::string name, std::string directory, EnvironmentOptions options)
    : name_(std::move(name)), directory_(std::move(directory)), options_(std::move(options)) {
  read_conf();
  set_manifest();
  set_modulepath();
  find_modules();
  shared_types_ = std::make_unique<SharedTypes>(*this);
}

const Repository* Environment::repository() const {
  return repository_named(options_, name_);
}

void Environment::read_conf() {
  if (directory_.empty()) return;
  const std::string path = join_path(directory_, "environment.conf");
  const std::optional<std::string> text = read_file_if_exists(path);
  if (!text) return;
  conf_ = parse_environment_conf(*text, path, name_, options_.settings);
  for (const std::string& warning : conf_.warnings) {
    problems_.push_back({Severity::kWarning, warning});
  }
}

void Environment::set_manifest() {
  if (options_.disable_per_environment_manifest && !options_.default_manifest.starts_with('/')) {
    fail(Issue::kInvalidSetting, {std::string(kDefaultManifestMustBeAbsolute)});
  }
  if (options_.manifest) {
    manifest_ = absolute_path(*options_.manifest);
    return;
  }
  if (directory_.empty()) return;
  manifest_ = expand_path(options_.default_manifest, directory_);
  if (options_.default_manifest.find("$environment") != std::string::npos) {
    problems_.push_back(
        {Severity::kWarning,
         fmt::format("You cannot interpolate $environment within 'default_manifest' when using "
                     "directory environments. Its value will remain {}.",
                     options_.default_manifest)});
  }
  if (!conf_.manifest) return;
  if (!options_.disable_per_environment_manifest) {
    manifest_ = *conf_.manifest;
  } else if (*conf_.raw_manifest != manifest_) {
    problems_.push_back(
        {Severity::kError,
         fmt::format("The 'disable_per_environment_manifest' setting is true, but the environment "
                     "located at {} has a manifest setting in its environment.conf of '{}' which "
                     "does not match the default_manifest setting '{}'. If this environment is "
                     "expecting to find modules in '{}', they will not be available!",
                     directory_, *conf_.raw_manifest, options_.default_manifest,
                     *conf_.raw_manifest)});
  }
}

bool Environment::has_forbidden_manifest() const {
  const std::optional<std::string>& written = conf_.written_manifest;
  return options_.disable_per_environment_manifest && written && !written->empty() &&
         *written != options_.default_manifest;
}

void Environment::set_modulepath() {
  if (options_.modulepath) {
    for (const std::string& directory : *options_.modulepath) {
      modulepath_.push_back(absolute_path(directory));
    }
  } else if (conf_.modulepath) {
    modulepath_ = *conf_.modulepath;
  } else {
    const Repository* repository = this->repository();
    if (repository != nullptr && !repository->has_environment_conf) {
      modulepath_ = repository->modulepath;
    } else if (!directory_.empty()) {
      modulepath_.push_back(join_path(directory_, "modules"));
    }
    modulepath_.insert(modulepath_.end(), options_.basemodulepath.begin(),
                       options_.basemodulepath.end());
  }
}

void Environment::find_modules() {
  std::vector<std::string> directories = modulepath_;
  directories.insert(directories.end(), options_.vendored_modules.begin(),
                     options_.vendored_modules.end());
  std::unordered_set<std::string> seen;
  const Repository* repository = this->repository();
  if (repository != nullptr && is_module_name(repository->module)) {
    seen.insert(repository->module);
    add_module(repository->module, repository->directory);
  }
  for (const std::string& directory : directories) {
    listings_.push_back({directory, list_directories(directory)});
  }
  open_kept_texts();
  for (const auto& [directory, names] : listings_) {
    for (const std::string& name : names) {
      if (is_module_name(name) && seen.insert(name).second) {
        add_module(name, join_path(directory, name));
      }
    }
  }
  for (const Module& module : modules_) modules_by_name_.emplace(module.name, &module);
  KeptTexts* const texts = kept_texts_.get();
  files_.push_back(std::make_unique<Files>(directory_, texts));
  for (const Module& module : modules_) {
    files_.push_back(std::make_unique<Files>(module.path, texts));
  }
}

// With few modules, reading is no slower.
void Environment::open_kept_texts() {
  constexpr size_t kFewModules = 30;
  size_t count = 0;
  std::string key = directory_;
  for (const auto& [directory, names] : listings_) {
    count += names.size();
    key.append("\n").append(directory);
  }
  if (options_.texts_directory.empty() || count < kFewModules) return;
  kept_texts_ = std::make_unique<KeptTexts>(
      join_path(options_.texts_directory, digest_hex(DigestAlgorithm::kSha256, key) + ".txt"));
}

Environment::~Environment() {
  if (kept_texts_ != nullptr) kept_texts_->save();
}

void Environment::add_module(std::string_view name, std::string directory) {
  Module& module = modules_.emplace_back(Name(name), std::move(directory));
  if (!options_.reads_metadata ||
      read_metadata(module, options_.parse.strict, kept_texts_.get(), problems_))
    return;
  std::string metadata = join_path(module.path, "metadata.json");
  std::string digest = read_digest(read_file(metadata));
  left_out_.push_back({std::move(module.path), std::move(metadata), std::move(digest)});
  modules_.pop_back();
}

std::string Environment::reported_path(std::string_view path) const {
  if (link_.empty() || !holds(path)) return std::string(path);
  return link_ + std::string(path.substr(directory_.size()));
}

const Module* Environment::find_module(std::string_view name) const {
  const auto found = modules_by_name_.find(Name(name));
  const Module* module = found == modules_by_name_.end() ? nullptr : found->second;
  if (ReadObserver* observer = ReadObserver::current()) report_module(*observer, name, module);
  return module;
}

std::optional<std::string> Environment::find_file(std::string_view kind,
                                                  std::string_view name) const {
  std::optional<std::string> path = path_of_file(kind, name);
  if (path && !exists(*path)) path.reset();
  return path;
}

std::optional<std::string> Environment::path_of_file(std::string_view kind,
                                                     std::string_view name) const {
  if (name.starts_with('/')) return std::string(name);
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const Module* module = find_module(name.substr(0, slash));
  if (module == nullptr) return std::nullopt;
  return fmt::format("{}/{}/{}", module->path, kind, name.substr(slash + 1));
}

// Reports the search for the name along the path, up to the first directory that has it.
void Environment::report_module(ReadObserver& observer, std::string_view name,
                                const Module* module) const {
  const auto report = [&](const std::vector<std::string>& directories) {
    for (const std::string& directory : directories) {
      const std::string path = join_path(directory, name);
      for (const LeftOut& left_out : left_out_) {
        if (left_out.directory != path) continue;
        observer.file(left_out.metadata, left_out.digest);
        return true;
      }
      const bool is_here = module != nullptr && module->path == path;
      observer.path(path, PathTest::kIsDirectory, is_here);
      if (is_here) return true;
    }
    return false;
  };
  if (!report(modulepath_)) report(options_.vendored_modules);
}

std::span<const Module> Environment::modules() const {
  if (ReadObserver* observer = ReadObserver::current()) report_listings(*observer);
  return modules_;
}

void Environment::report_listings(ReadObserver& observer) const {
  const DirectoryDigests& directories = directory_digests();
  for (size_t i = 0; i < listings_.size(); ++i) {
    observer.directory(listings_[i].directory, Listing::kDirectories, directories.digests[i]);
  }
  for (const LeftOut& left_out : left_out_) observer.file(left_out.metadata, left_out.digest);
}

const Environment::DirectoryDigests& Environment::directory_digests() const {
  std::call_once(has_directory_digests_, [this] {
    for (const DirectoryListing& listing : listings_) {
      directory_digests_.digests.push_back(names_digest(listing.names));
    }
    SearchedDirectories& searched = directory_digests_.modules;
    for (const Module& module : modules_) searched.paths.append(module.path).push_back('\0');
    searched.digest = read_digest(searched.paths);
  });
  return directory_digests_;
}

std::string Environment::path_in(const Module* module, std::string_view relative_path) const {
  return join_path(module != nullptr ? module->path : directory_, relative_path);
}

Environment::Files::Files(std::string root, KeptTexts* texts)
    : index(std::move(root), kIndexedDirectories, texts) {}

Environment::Files& Environment::own_files(const Module* module) const {
  return *files_[module == nullptr ? 0 : static_cast<size_t>(module - modules_.data()) + 1];
}

const std::unordered_set<std::string>& Environment::files_of(const Module* module) const {
  Files& files = own_files(module);
  std::call_once(files.listed, [&] {
    if (module == nullptr && directory_.empty()) return;
    // Callers report the file that they look up.
    const ObservedReads no_observer(nullptr);
    for (const auto& [directory, links] : kIndexedDirectories) {
      for (const std::string& path : list_files_below(path_in(module, directory), links)) {
        files.paths.insert(join_path(directory, path));
      }
    }
  });
  return files.paths;
}

bool Environment::has_file(const Module* module, std::string_view relative_path) const {
  const bool has_it = own_files(module).index.has_file(relative_path);
  if (ReadObserver* observer = ReadObserver::current()) {
    observer->path(path_in(module, relative_path), PathTest::kIsFile, has_it);
  }
  return has_it;
}

bool Environment::is_function_shared(std::string_view path) const {
  const Module* first = nullptr;
  for (const auto& [directory, interface] : kFunctionDirectories) {
    const std::string file = join_path(directory, path);
    for (const Module* module : modules_with(directory_of(file))) {
      if (module == first || !own_files(module).index.has_file(file)) continue;
      if (first != nullptr) return true;
      first = module;
    }
  }
  return false;
}

const std::vector<const Module*>& Environment::modules_with(std::string_view directory) const {
  std::string key(directory);
  {
    const std::shared_lock lock(holders_mutex_);
    const auto found = directory_holders_.find(key);
    if (found != directory_holders_.end()) return found->second;
  }
  std::vector<const Module*> holders;
  const auto add = [&](const Module& module) {
    if (own_files(&module).index.has_directory(directory)) holders.push_back(&module);
  };
  if (is_indexed(directory)) {
    std::ranges::for_each(modules_, add);
  } else if (const std::string_view above = directory_of(directory); !above.empty()) {
    for (const Module* module : modules_with(above)) add(*module);
  }
  const std::unique_lock lock(holders_mutex_);
  return directory_holders_.try_emplace(std::move(key), std::move(holders)).first->second;
}

const Module* Environment::module_of(std::string_view path) const {
  for (const Module& module : modules_) {
    const size_t size = module.path.size();
    if (path.size() > size && path[size] == '/' && path.starts_with(module.path)) return &module;
  }
  return nullptr;
}

const Module* Environment::holder_of(std::string_view relative_path) const {
  std::string key(relative_path);
  {
    const std::shared_lock lock(holders_mutex_);
    const auto found = holders_.find(key);
    if (found != holders_.end()) return found->second;
  }
  const std::vector<const Module*>& modules = modules_with(directory_of(relative_path));
  const auto found = std::ranges::find_if(modules, [&](const Module* module) {
    return own_files(module).index.has_file(relative_path);
  });
  const Module* holder = found == modules.end() ? nullptr : *found;
  const std::unique_lock lock(holders_mutex_);
  return holders_.try_emplace(std::move(key), holder).first->second;
}

const Module* Environment::find_module_with(std::string_view relative_path) const {
  const Module* module = holder_of(relative_path);
  if (ReadObserver* observer = ReadObserver::current()) {
    report_listings(*observer);
    observer->search(directory_digests().modules, relative_path,
                     module == nullptr ? std::string_view() : module->path);
  }
  return module;
}

bool Environment::has_directory(std::string_view relative_directory, const Module* likely) const {
  const auto is_in = [&](const Module& module) {
    const bool has_it = own_files(&module).index.has_directory(relative_directory);
    if (ReadObserver* observer = ReadObserver::current()) {
      observer->path(path_in(&module, relative_directory), PathTest::kIsDirectory, has_it);
    }
    return has_it;
  };
  return (likely != nullptr && is_in(*likely)) || std::ranges::any_of(modules_, is_in);
}

std::vector<const Module*> Environment::visible_modules(const Module* from) const {
  std::vector<const Module*> visible;
  if (from != nullptr) {
    visible.push_back(from);
    for (const Name name : from->dependencies) {
      const Module* module = find_module(name.text());
      if (module != nullptr) visible.push_back(module);
    }
  }
  for (const Module& module : modules_) {
    if (std::ranges::find(visible, &module) == visible.end()) {
      visible.push_back(&module);
    }
  }
  return visible;
}

ParsedFilePointer Environment::parse(const std::string& path, SourceForm form) const {
  ParsedFilePointer file;
  try {
    file = parse_once(path, form);
  } catch (const EvaluationError&) {
    if (ReadObserver* observer = ReadObserver::current()) observer->file(path, {});
    throw;
  }
  if (ReadObserver* observer = ReadObserver::current()) observer->file(path, file->digest.get());
  return file;
}

ParsedFilePointer Environment::parse_once(const std::string& path, SourceForm form) const {
  const std::string key = (form == SourceForm::kTemplate ? "t" : "m") + path;
  {
    const std::shared_lock lock(programs_mutex_);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
  }
  ParseSettings settings = options_.parse;
  settings.location = place_among_modules(*this, path);
  // NOLINTNEXTLINE(misc-const-correctness): try_emplace moves it.
  ParsedFilePointer file = ProgramCache::shared().parse(path, form, settings);
  const std::lock_guard lock(programs_mutex_);
  return programs_.try_emplace(key, std::move(file)).first->second;
}

ParsedFilePointer Environment::parse_text(SourcePointer source, SourceForm form) const {
  return parse_and_validate(std::move(source), form, options_.parse);
}

const Function* Environment::kept_function(Name name) const {
  const std::shared_lock lock(functions_mutex_);
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : found->second;
}

const NativeType* Environment::kept_type(Name name) const {
  const std::shared_lock lock(functions_mutex_);
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : found->second.get();
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): try_emplace moves it.
const NativeType* Environment::keep_type(Name name, std::shared_ptr<const NativeType> type) const {
  const std::unique_lock lock(functions_mutex_);
  return types_.try_emplace(name, std::move(type)).first->second.get();
}

void Environment::keep_function(Name name, const Function* function) const {
  const std::unique_lock lock(functions_mutex_);
  functions_.emplace(name, function);
}

std::vector<ParsedFilePointer> Environment::initial_manifests() const {
  // Not cached while reads are observed: observers are notified of every directory and file.
  if (ReadObserver::current() != nullptr) return find_initial_manifests();
  std::call_once(has_initial_manifests_, [this] { initial_manifests_ = find_initial_manifests(); });
  return initial_manifests_;
}

std::vector<ParsedFilePointer> Environment::find_initial_manifests() const {
  if (options_.code) {
    auto source = std::make_shared<const SourceFile>(options_.code_name, *options_.code);
    return {parse_text(std::move(source), SourceForm::kManifest)};
  }
  if (manifest_.empty()) return {};
  if (!is_directory(manifest_)) {
    // The manifests of an environment may be missing; a manifest from the command line must exist.
    if (exists(manifest_) || options_.manifest) return {parse(manifest_)};
    const std::string path = manifest_.ends_with(".pp") ? manifest_ : manifest_ + ".pp";
    if (exists(path)) return {parse(path)};
    auto source = std::make_shared<const SourceFile>(path, "");
    return {parse_text(std::move(source), SourceForm::kManifest)};
  }
  std::vector<ParsedFilePointer> files;
  // As in the reference: Ruby's glob of "**" does not enter links.
  for (const std::string& path : list_files_below(manifest_, Links::kSkipped)) {
    const bool hidden = path.starts_with('.') || path.find("/.") != std::string::npos;
    if (!path.ends_with(".pp") || hidden) continue;
    const std::string file = join_path(manifest_, path);
    if (exists(file)) files.push_back(parse(file));  // a link may lead nowhere
  }
  return files;
}

}  // namespace bunraku
