// `parser validate` and `epp validate`.
#include <fmt/core.h>

#include <memory>
#include <vector>

#include "base/system/file_system.h"
#include "base/system/terminal.h"
#include "base/system/thread_pool.h"
#include "cli/commands/commands.h"
#include "cli/commands/watch.h"
#include "cli/frame/problem_output.h"
#include "cli/frame/syntax_input.h"

namespace bunraku {
namespace {

// Below this number of files, checks end before a progress bar could be read.
constexpr size_t kManyFiles = 500;

struct Outcome {
  DiagnosticList problems;
  std::string failure;  // the reason why a file could not be read
};

void check_source(const SyntaxSource& source, SourceForm form, const SyntaxRules& rules,
                  Outcome& outcome) {
  try {
    auto program = parse(load(source), rules.parsing(form), outcome.problems);
    if (!outcome.problems.has_errors()) {
      validate(*program, rules.validation(source.path), outcome.problems);
    }
  } catch (const FileError& error) {
    outcome.failure = error.what();
  }
}

std::vector<Outcome> check_all(const std::vector<SyntaxSource>& sources, SourceForm form,
                               const SyntaxRules& rules) {
  std::vector<Outcome> outcomes(sources.size());
  std::unique_ptr<ProgressBar> progress;
  if (sources.size() >= kManyFiles)
    progress = std::make_unique<ProgressBar>("Validating", sources.size());
  parallel_for_each(sources.size(), 0, [&](size_t i) {
    check_source(sources[i], form, rules, outcomes[i]);
    if (progress) progress->advance();
  });
  return outcomes;
}

int validate_sources(const SyntaxInput& input, SourceForm form, Session& session) {
  bool is_complete;
  const SyntaxRules rules(input, session);
  const std::vector<SyntaxSource> sources =
      syntax_sources(input, form, rules, session, is_complete);
  bool has_failed = !is_complete;
  std::vector<Diagnostic> problems;
  for (Outcome& outcome : check_all(sources, form, rules)) {
    if (!outcome.failure.empty()) {
      session.fail(ErrorKind::kError, outcome.failure);
      has_failed = true;
    }
    for (Diagnostic& problem : outcome.problems.all) {
      if (problem.severity == Severity::kError) has_failed = true;
      if (problem.severity != Severity::kIgnore) problems.push_back(std::move(problem));
    }
  }
  print_problems(problems, session);
  return has_failed ? kExitFailure : kExitSuccess;
}

}  // namespace

Command make_validate_command(SourceForm form) {
  auto input = std::make_shared<SyntaxInput>();
  auto watches = std::make_shared<bool>(false);
  const bool is_template = form == SourceForm::kTemplate;
  Command command(is_template ? "epp validate" : "parser validate", "Every problem of every file");
  take_syntax_input(command, *input);
  take_problem_formats(command);
  command.details(fmt::format(
      "Directories are searched for files that end with {}. Several files are checked at "
      "the same time, on all processors. For files in the modules of the environment the rules "
      "hold that tie the names of definitions to the files they stand in.",
      is_template ? ".epp" : ".pp"));
  command.takes(OptionGroup::kEnvironment);
  command.example("bunraku " + command.name() + " modules", "checks all files below a directory");
  command.example("bunraku " + command.name() + " --format sarif . > problems.sarif",
                  "writes a log that code review tools read");
  command.flag("--watch", "validate again whenever files change", *watches);
  command.run([input, watches, form](Session& session) {
    const auto once = [&] {
      const int answer = validate_sources(*input, form, session);
      session.flush();
      return answer;
    };
    return *watches ? run_and_watch(input->paths, once) : once();
  });
  return command;
}

}  // namespace bunraku
