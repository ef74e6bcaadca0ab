#include "cli/syntax_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "support/file_system.h"

namespace bunraku {
namespace {

// As many of each severity as the reference shows of one program.
constexpr size_t kMostShown = 10;

std::string setting(const Session& session, std::string_view name) {
  std::string value;
  for (const auto& [key, given] : session.options().settings) {
    if (key == name) value = given;
  }
  return value;
}

// Every file below `folder` with the extension, in the order of names. Hidden folders and symbolic
// links to folders are not entered.
void find_files(const std::string& folder, std::string_view extension,
                std::vector<SyntaxSource>& found) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::string name = at->path().filename().string();
    if (at->is_directory(error) && name.starts_with('.')) {
      at.disable_recursion_pending();
    } else if (name.ends_with(extension) && at->is_regular_file(error)) {
      paths.push_back(at->path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  for (std::string& path : paths) found.push_back({std::move(path), {}});
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t colon = text.find(':');
    if (colon != 0) parts.push_back(absolute_path(text.substr(0, colon)));
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  return parts;
}

}  // namespace

void take_syntax_input(Command& command, SyntaxInput& input) {
  command.option("-e, --execute CODE", "take CODE instead of files; may be repeated", input.codes);
  command.argument("[FILES...]", "files, or \"-\" for standard input", input.paths);
}

std::vector<SyntaxSource> syntax_sources(const SyntaxInput& input, std::string_view extension,
                                         Session& session, bool& is_complete) {
  is_complete = true;
  std::vector<SyntaxSource> sources;
  for (const std::string& code : input.codes) sources.push_back({{}, code});
  for (const std::string& path : input.paths) {
    if (is_directory(path)) {
      find_files(path, extension, sources);
    } else if (path == "-" || exists(path)) {
      sources.push_back({path, {}});
    } else {
      session.fail(ErrorKind::kError, fmt::format("No such file or directory - {}", path));
      is_complete = false;
    }
  }
  if (input.codes.empty() && input.paths.empty()) sources.push_back({"-", {}});
  return sources;
}

SourcePointer load(const SyntaxSource& source) {
  if (source.path.empty()) return std::make_shared<SourceFile>(std::string(), source.code);
  std::string name = source.path == "-" ? "stdin" : source.path;
  return std::make_shared<SourceFile>(std::move(name), read_file(source.path));
}

ParseOptions parse_options(const Session& session, SourceForm form) {
  ParseOptions options;
  options.form = form;
  options.tasks = setting(session, "tasks") == "true";
  return options;
}

ValidationSettings validation_settings(const Session& session, const std::string& path) {
  ValidationSettings settings;
  std::string strict = setting(session, "strict");
  if (strict == "off") settings.strict = Strictness::kOff;
  if (strict == "warning") settings.strict = Strictness::kWarning;
  settings.tasks = setting(session, "tasks") == "true";
  std::vector<std::string> module_path = split_list(setting(session, "modulepath"));
  if (!path.empty() && !module_path.empty()) {
    std::string manifest = setting(session, "manifest");
    if (!manifest.empty()) manifest = absolute_path(manifest);
    settings.location = locate_in_modules(absolute_path(path), module_path, manifest);
  }
  return settings;
}

int report_problems(std::span<const Diagnostic> problems, Session& session) {
  size_t warnings = 0;
  size_t errors = 0;
  const Diagnostic* first = nullptr;
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::kError) {
      if (errors++ == 0) first = &problem;
    } else if (problem.severity != Severity::kIgnore && warnings++ < kMostShown) {
      session.report(problem);
    }
  }
  if (errors == 0) return kExitSuccess;
  if (errors == 1) return session.fail(EvaluationError(*first, ErrorKind::kSyntax));
  size_t shown = 0;
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::kError && shown++ < kMostShown) session.report(problem);
  }
  std::string count = fmt::format("Language validation logged {} errors", errors);
  if (warnings > 0) count += fmt::format(", and {} warnings", warnings);
  return session.fail(ErrorKind::kSyntax, count + ". Giving up");
}

}  // namespace bunraku
