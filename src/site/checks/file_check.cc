// Checks of manifests, templates, data and configuration.
#include "site/checks/file_check.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/diagnostics/file_range.h"
#include "base/formats/data.h"
#include "base/formats/yaml.h"
#include "base/memory/arena.h"
#include "base/system/file_system.h"
#include "site/environment/environment_settings.h"
#include "site/lookup/data_files.h"
#include "site/lookup/hiera_config.h"
#include "site/settings/repository_conf.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace bunraku::checks {
namespace {

std::string real_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? absolute_path(path) : real.string();
}

// Sets the file of a problem that has none.
Diagnostic in_file(Diagnostic problem, const std::string& path) {
  if (problem.primary.file != nullptr) return problem;
  // Parsers report their place in a label.
  if (!problem.labels.empty() && problem.labels.front().range.file != nullptr) {
    problem.primary = problem.labels.front().range;
    problem.labels.erase(problem.labels.begin());
    return problem;
  }
  problem.primary = range_in_file(path, 0);
  return problem;
}

}  // namespace

FileChecks::FileChecks(const Settings& settings, std::shared_ptr<const Environment> environment)
    : options_(environment_options(settings)),
      codedir_(settings.text("codedir")),
      environment_(std::move(environment)) {
  for (const Module& module : environment_->modules()) {
    modules_.emplace(real_path(module.path), module.name.text());
  }
}

std::vector<Diagnostic> FileChecks::check(const FoundFile& file) const {
  DiagnosticList problems;
  try {
    switch (file.kind) {
      case FileKind::kManifest:
      case FileKind::kEpp:
        check_program(file.path, file.kind == FileKind::kEpp, problems);
        break;
      case FileKind::kData:
        check_data(file.path, problems);
        break;
      case FileKind::kHieraConfig:
        check_hiera_config(file.path, problems);
        break;
      case FileKind::kMetadata:
        check_metadata(file.path, problems);
        break;
      case FileKind::kPuppetfile:
        check_puppetfile(file.path, problems);
        break;
      case FileKind::kEnvironmentConf:
        check_environment_conf(file.path, problems);
        break;
      case FileKind::kRepositoryConf:
        read_repository_conf(std::string(parent_directory(absolute_path(file.path))));
        break;
      case FileKind::kErb:
      case FileKind::kOther:
        break;
    }
  } catch (const EvaluationError& error) {
    problems.report(in_file(flattened(error.diagnostic()), file.path));
  } catch (const FileError& error) {
    problems.report(make_diagnostic(Issue::kUnreadableFile, range_in_file(file.path, 0),
                                    {error.reason(), error.path()}));
  }
  return std::move(problems.all);
}

ModuleLocation FileChecks::location_of(const std::string& path) const {
  const std::string real = real_path(path);
  for (std::string_view at = parent_directory(real); at.size() > 1; at = parent_directory(at)) {
    const auto found = modules_.find(std::string(at));
    if (found == modules_.end()) continue;
    const std::string modules[] = {"/modules"};
    const std::string in_module =
        fmt::format("{}/{}{}", modules[0], found->second, real.substr(at.size()));
    const ModuleLocation location = locate_in_modules(in_module, modules, "");
    // Files in other directories of a module (examples, plans, tasks) may define any name.
    return location.kind == ModuleLocation::Kind::kInModule ? location : ModuleLocation();
  }
  return {};
}

void FileChecks::check_program(const std::string& path, bool is_template,
                               DiagnosticList& problems) const {
  ParseOptions parsing;
  parsing.form = is_template ? SourceForm::kTemplate : SourceForm::kManifest;
  // Plans are parsed with the keywords of tasks and plans.
  const bool is_plan = path.find("/plans/") != std::string::npos || path.starts_with("plans/");
  parsing.tasks = options_.parse.tasks || is_plan;
  const auto program =
      parse(std::make_shared<SourceFile>(path, read_file(path)), parsing, problems);
  if (problems.has_errors()) return;
  ValidationSettings settings;
  settings.strict = options_.parse.strict;
  settings.tasks = parsing.tasks;
  if (!is_template) settings.location = location_of(path);
  validate(*program, settings, problems);
}

namespace {

Range range_of(const SourcePointer& source, const RepeatedKey::Place& place) {
  Range range = range_at(source, place.line, place.column);
  range.location.length = place.length;
  return range;
}

void check_repeated_keys(const std::string& path, DiagnosticList& problems) {
  std::vector<RepeatedKey> repeated;
  Arena arena;
  const SourcePointer source = source_of_file(path);
  read_yaml(source->text(), {.file = path, .times_as_text = true, .repeated_keys = &repeated},
            arena);
  for (const RepeatedKey& one : repeated) {
    Diagnostic problem =
        make_diagnostic(Issue::kRepeatedDataKey, range_of(source, one.place), {one.key});
    problem.labels.push_back({range_of(source, one.first), "first here"});
    problems.report(std::move(problem));
  }
}

}  // namespace

void FileChecks::check_data(const std::string& path, DiagnosticList& problems) const {
  DataFiles files;
  const bool is_json = path.ends_with(".json");
  const auto file = files.get(path, is_json ? DataFormat::kJson : DataFormat::kYaml);
  if (!file->error.empty()) {
    // Messages of look-ups begin with the file's path.
    std::string_view message = file->error;
    const std::string prefix = fmt::format("({}): ", path);
    if (message.starts_with(prefix)) message.remove_prefix(prefix.size());
    Diagnostic problem = make_diagnostic(Issue::kInvalidDataFile, Range{}, {std::string(message)});
    problem.labels = file->error_labels;
    problems.report(in_file(std::move(problem), path));
    return;
  }
  if (!is_json) check_repeated_keys(path, problems);
  if (file->data.is_undef() || file->data.is_hash()) return;
  problems.report(make_diagnostic(
      Issue::kInvalidDataFile, range_in_file(path, 1),
      {fmt::format(
          "the data of a {} file are a hash of keys and their values; this is another kind "
          "of value",
          is_json ? "JSON" : "YAML")}));
}

// A hiera.yaml that is not at the top of an environment or module is checked as a global one.
Layer FileChecks::layer_of(const std::string& directory) const {
  const std::string real = real_path(directory);
  if (modules_.contains(real)) return Layer::kModule;
  const std::string& own = environment_->directory();
  const bool is_environment =
      (!own.empty() && real == real_path(own)) || is_file(join_path(directory, "environment.conf"));
  if (is_environment) return Layer::kEnvironment;
  // A module that is not on the module path.
  return is_file(join_path(directory, "metadata.json")) ? Layer::kModule : Layer::kGlobal;
}

void FileChecks::check_hiera_config(const std::string& path, DiagnosticList& problems) const {
  DataFiles files;
  Arena arena;
  HieraConfigSource source;
  source.root = parent_directory(absolute_path(path));
  source.path = absolute_path(path);
  source.codedir = codedir_;
  source.environment = environment_->name();
  source.layer = layer_of(source.root);
  source.is_strict = options_.parse.strict == Strictness::kError;
  const auto report = [&](std::string message, Severity severity) {
    // The diagnostic's place shows the path already.
    if (message.starts_with(source.path + ": ")) message.erase(0, source.path.size() + 2);
    Diagnostic problem =
        make_diagnostic(Issue::kInvalidHieraConfig, range_in_file(path, 0), {std::move(message)});
    problem.severity = severity;
    problems.report(std::move(problem));
  };
  source.warn = [&](std::string message) { report(std::move(message), Severity::kWarning); };
  source.warn_deprecated = [&](std::string_view, std::string message, const std::string&) {
    report(std::move(message), Severity::kDeprecation);
  };
  const std::unique_ptr<HieraConfig> config = read_hiera_config(arena, files, source);
  if (config == nullptr) return;
  for (const std::vector<HierarchyEntry>* levels :
       {&config->hierarchy, &config->default_hierarchy}) {
    for (const HierarchyEntry& level : *levels) {
      if (level.failure == nullptr) continue;
      try {
        std::rethrow_exception(level.failure);
      } catch (const EvaluationError& error) {
        problems.report(in_file(flattened(error.diagnostic()), path));
      }
    }
  }
}

void FileChecks::check_environment_conf(const std::string& path, DiagnosticList& problems) const {
  const EnvironmentConf conf = parse_environment_conf(read_file(path), absolute_path(path),
                                                      environment_->name(), options_.settings);
  for (const std::string& warning : conf.warnings) {
    // The second line of the reference's message only reports that the place is unknown.
    Diagnostic problem = make_diagnostic(Issue::kInvalidSetting, range_in_file(path, 0),
                                         {warning.substr(0, warning.find('\n'))});
    problem.severity = Severity::kWarning;
    problems.report(std::move(problem));
  }
  if (!conf.wrong_boolean.empty()) {
    problems.report(
        make_diagnostic(Issue::kInvalidSetting, range_in_file(path, 0), {conf.wrong_boolean}));
  }
}

}  // namespace bunraku::checks
