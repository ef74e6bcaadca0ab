#include "cli/frame/syntax_input.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/system/directory_walk.h"
#include "site/environment/checked_program.h"
#include "site/environment/environment.h"
#include "site/environment/environment_settings.h"
#include "site/environment/file_place.h"

namespace bunraku {
namespace {

// Adds every file below the directory with the extension, sorted by path. Hidden directories and
// links to directories are skipped.
void find_files(const std::string& directory, std::string_view extension,
                std::vector<SyntaxSource>& found) {
  std::vector<std::string> paths;
  walk_directories({&directory, 1}, Links::kSkipped,
                   [&](const std::string& above, std::vector<DirectoryEntry>& entries) {
                     std::erase_if(entries, [](const DirectoryEntry& entry) {
                       return entry.is_directory && entry.name.starts_with('.');
                     });
                     for (const DirectoryEntry& entry : entries) {
                       if (entry.is_directory || !entry.name.ends_with(extension)) continue;
                       std::string path = join_path(above, entry.name);
                       if (is_file(path)) paths.push_back(std::move(path));
                     }
                   });
  std::ranges::sort(paths);
  for (std::string& path : paths) found.push_back({std::move(path), {}, {}});
}

}  // namespace

void take_syntax_input(Command& command, SyntaxInput& input) {
  command.option("-e, --execute CODE", "take CODE instead of files; may be repeated", input.codes);
  command.option("--file NAME", "the name that locations and messages show for code of -e",
                 input.file_name);
  command.argument("[FILES...]", "files, or \"-\" for standard input", input.paths);
}

std::vector<SyntaxSource> syntax_sources(const SyntaxInput& input, SourceForm form,
                                         const SyntaxRules& rules, Session& session,
                                         bool& is_complete) {
  is_complete = true;
  const bool are_templates = form == SourceForm::kTemplate;
  std::vector<SyntaxSource> sources;
  for (const std::string& code : input.codes) sources.push_back({{}, code, input.file_name});
  for (const std::string& name : input.paths) {
    const std::string path = are_templates ? rules.template_path(name) : name;
    if (is_directory(path)) {
      find_files(path, are_templates ? ".epp" : ".pp", sources);
    } else if (path == "-" || exists(path)) {
      sources.push_back({path, {}, {}});
    } else {
      session.fail(ErrorKind::kError, fmt::format("No such file or directory - {}", path));
      is_complete = false;
    }
  }
  if (input.codes.empty() && input.paths.empty()) sources.push_back({"-", {}, {}});
  return sources;
}

SourcePointer load(const SyntaxSource& source) {
  if (source.path.empty()) return std::make_shared<SourceFile>(source.name, source.code);
  std::string name = source.path == "-" ? "stdin" : source.path;
  return std::make_shared<SourceFile>(std::move(name), read_file(source.path));
}

SyntaxRules::SyntaxRules(const SyntaxInput& input, Session& session) {
  const Settings settings = session.load_settings("main");
  const EnvironmentOptions options = environment_options(settings);
  tasks_ = options.parse.tasks;
  strict_ = options.parse.strict;
  limits_ = options.limits;
  // Only files have a place among the modules.
  if (input.paths.empty()) return;
  environment_ = open_layout(settings);
}

std::string SyntaxRules::template_path(const std::string& path) const {
  return environment_->find_file("templates", path).value_or(path);
}

ParseOptions SyntaxRules::parsing(SourceForm form) const {
  ParseOptions options;
  options.form = form;
  options.tasks = tasks_;
  return options;
}

ValidationSettings SyntaxRules::validation(const std::string& path) const {
  ValidationSettings settings;
  settings.strict = strict_;
  settings.tasks = tasks_;
  if (!path.empty() && environment_ != nullptr) {
    settings.location = place_among_modules(*environment_, absolute_path(path));
  }
  return settings;
}

int report_problems(std::span<const Diagnostic> problems, const ProblemLimits& limits,
                    Session& session) {
  size_t warnings = 0;
  size_t errors = 0;
  const Diagnostic* first = nullptr;
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::kError) {
      if (errors++ == 0) first = &problem;
    } else if (is_lexer_warning(problem) ||
               (problem.severity != Severity::kIgnore && warnings++ < limits.warnings)) {
      session.report(problem);
    }
  }
  if (errors == 0) return kExitSuccess;
  if (errors == 1 || limits.errors <= 1)
    return session.fail(EvaluationError(*first, ErrorKind::kSyntax));
  size_t shown = 0;
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::kError && shown++ < limits.errors) session.report(problem);
  }
  return session.fail(ErrorKind::kSyntax, giving_up_text(errors, warnings));
}

}  // namespace bunraku
