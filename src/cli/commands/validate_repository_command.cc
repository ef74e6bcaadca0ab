// `validate`: checks all files of a repository, by kind.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/system/file_system.h"
#include "base/system/terminal.h"
#include "base/system/thread_pool.h"
#include "base/text/counts.h"
#include "cli/commands/commands.h"
#include "cli/commands/watch.h"
#include "cli/frame/problem_output.h"
#include "cli/frame/session.h"
#include "ruby/worker/worker.h"
#include "site/checks/file_check.h"
#include "site/checks/ruby_check.h"
#include "site/environment/environment_settings.h"

namespace bunraku {

using checks::FileKind;
using checks::FoundFile;

namespace {

// Below this number of files, checks end before a progress bar could be read.
constexpr size_t kManyFiles = 500;

struct ValidateOptions {
  std::vector<std::string> paths;
  bool watches = false;
};

// The files that the paths name; a directory means the files in it.
std::vector<FoundFile> files_of(const std::vector<std::string>& paths, const Session& session) {
  const Repository* repository = session.repository();
  const std::string root = repository != nullptr ? repository->directory : absolute_path(".");
  const std::vector<std::string> ignored =
      repository != nullptr ? repository->conf.ignored_paths : std::vector<std::string>();
  std::vector<FoundFile> files;
  for (const std::string& path : paths) {
    if (is_directory(path)) {
      std::vector<FoundFile> found = checks::find_files(path, root, ignored);
      std::ranges::move(found, std::back_inserter(files));
      continue;
    }
    if (!exists(path)) throw UsageError(fmt::format("there is no file or directory '{}'", path));
    // A file that is named directly is checked in any directory.
    const std::string absolute = absolute_path(path);
    const FileKind kind = checks::kind_of(absolute, {std::string(parent_directory(absolute))});
    if (kind == FileKind::kOther) {
      throw UsageError(fmt::format("'{}' is of no kind that is checked", path));
    }
    files.push_back({path, kind});
  }
  return files;
}

struct Count {
  size_t errors = 0;
  size_t warnings = 0;
};

// "Checked 3 manifests, 1 data file: 2 errors, 1 warning"
std::string summary(const std::vector<FoundFile>& files, const Count& count) {
  std::array<size_t, checks::kFileKinds> kinds{};
  for (const FoundFile& file : files) ++kinds[static_cast<size_t>(file.kind)];
  std::string text;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] == 0) continue;
    const auto kind = static_cast<FileKind>(i);
    text += text.empty() ? "Checked " : ", ";
    text += counted(kinds[i], checks::name_of(kind, 1), checks::name_of(kind, 2));
  }
  if (text.empty()) return "Found nothing to check";
  if (count.errors == 0 && count.warnings == 0) return text + ": no problems";
  text += ": ";
  if (count.errors > 0) text += counted(count.errors, "error");
  if (count.errors > 0 && count.warnings > 0) text += ", ";
  if (count.warnings > 0) text += counted(count.warnings, "warning");
  return text;
}

bool needs_ruby(const std::vector<FoundFile>& files) {
  return std::ranges::any_of(files, [](const FoundFile& file) {
    return file.kind == FileKind::kErb || file.kind == FileKind::kPuppetfile;
  });
}

// The problems that Ruby finds. A missing Ruby is reported but is not a failure.
std::vector<Diagnostic> problems_of_ruby(const std::vector<FoundFile>& files, Session& session) {
  if (!needs_ruby(files)) return {};
  const RubyOptions& options = session.options().ruby;
  const std::string ruby =
      options.use == RubyUse::kNever ? std::string() : find_ruby(options.program);
  if (ruby.empty()) {
    session.warn("ERB templates and the Puppetfile were not checked: there is no ruby");
    return {};
  }
  return checks::check_with_ruby(files, ruby);
}

std::vector<Diagnostic> all_problems(const std::vector<FoundFile>& files,
                                     const checks::FileChecks& file_checks, Session& session) {
  std::vector<std::vector<Diagnostic>> found(files.size());
  std::unique_ptr<ProgressBar> progress;
  if (files.size() >= kManyFiles) {
    progress = std::make_unique<ProgressBar>("Validating", files.size());
  }
  parallel_for_each(files.size(), 0, [&](size_t i) {
    found[i] = file_checks.check(files[i]);
    if (progress) progress->advance();
  });
  std::vector<Diagnostic> problems;
  for (std::vector<Diagnostic>& some : found) {
    for (Diagnostic& problem : some) {
      if (problem.severity != Severity::kIgnore) problems.push_back(std::move(problem));
    }
  }
  std::ranges::move(problems_of_ruby(files, session), std::back_inserter(problems));
  return problems;
}

int validate_repository(const ValidateOptions& options, Session& session) {
  std::vector<std::string> paths = options.paths;
  if (paths.empty()) {
    const Repository* repository = session.repository();
    const bool is_here = repository == nullptr || repository->directory == absolute_path(".");
    paths.push_back(is_here ? "." : repository->directory);
  }
  const Settings settings = session.load_settings("main");
  const checks::FileChecks file_checks(settings, open_layout(settings));
  const std::vector<FoundFile> files = files_of(paths, session);
  // Throws without an environment: success would hide that the command ran in the wrong directory.
  if (files.empty() && options.paths.empty() && session.repository() == nullptr) {
    open_environment(settings, true);
  }
  const std::vector<Diagnostic> problems = all_problems(files, file_checks, session);
  Count count;
  for (const Diagnostic& problem : problems) {
    ++(problem.severity == Severity::kError ? count.errors : count.warnings);
  }
  print_problems(problems, session);
  session.flush();
  fmt::print(stderr, "{}\n", summary(files, count));
  return count.errors > 0 ? kExitFailure : kExitSuccess;
}

}  // namespace

Command make_validate_repository_command() {
  auto options = std::make_shared<ValidateOptions>();
  Command command("validate", "Everything in a repository that can be wrong by itself");
  command.details(
      "Checks files by their kind: manifests and EPP templates (grammar, static rules, and whether "
      "definitions bear the names that their places ask for, also of modules that are links), ERB "
      "templates and the Puppetfile (Ruby's own check, where there is Ruby), Hiera data and "
      "hiera.yaml, metadata.json, environment.conf and bunraku.toml. Nothing is compiled and "
      "nothing of the repository is run. Without a path the repository is checked that this "
      "directory is in. Directories that are hidden, spec/fixtures, vendor, pkg and node_modules "
      "are left out, and what `ignore.paths` of bunraku.toml names.\n\n"
      "The last line, on standard error, says what was checked and what was found. Exit codes: 0 "
      "when there is no error, 1 when there is one, 64 when the command line is wrong.");
  command.argument("[PATHS...]", "files and directories", options->paths);
  command.flag("--watch", "validate again whenever files change", options->watches);
  take_problem_formats(command);
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku validate", "checks the repository");
  command.example("bunraku validate site/profile data/common.yaml", "checks parts of it");
  command.example("bunraku validate --format gitlab > gl-code-quality-report.json",
                  "writes a report that GitLab shows in a merge request");
  command.run([options](Session& session) {
    const auto once = [&] {
      const int answer = validate_repository(*options, session);
      session.flush();
      return answer;
    };
    if (!options->watches) return once();
    return run_and_watch(options->paths.empty() ? std::vector<std::string>{"."} : options->paths,
                         once);
  });
  return command;
}

}  // namespace bunraku
