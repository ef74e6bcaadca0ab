// Shared code of the commands about syntax: the source of their code, the settings for it, and the
// report of its problems.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "cli/frame/session.h"
#include "site/environment/problem_limits.h"
#include "syntax/parser.h"
#include "validation/validate.h"

namespace bunraku {

class Environment;

struct SyntaxInput {
  std::vector<std::string> paths;
  std::vector<std::string> codes;  // the code in -e
  std::string file_name;           // the name of this code in messages
};

// Declares the arguments FILES and -e.
void take_syntax_input(Command& command, SyntaxInput& input);

struct SyntaxSource {
  std::string path;  // empty for code in -e
  std::string code;  // for sources without a path
  std::string name;  // the name of the code in messages
};
// Throws FileError.
SourcePointer load(const SyntaxSource& source);

// The settings about the language, and the environment with its modules. Safe from any thread.
class SyntaxRules {
 public:
  SyntaxRules(const SyntaxInput& input, Session& session);

  ParseOptions parsing(SourceForm form) const;
  // The settings for a file, with its place among the modules.
  ValidationSettings validation(const std::string& path) const;
  const ProblemLimits& limits() const { return limits_; }
  // The file of a module's template "module/name.epp", or the path itself.
  std::string template_path(const std::string& path) const;

 private:
  bool tasks_;
  Strictness strict_;
  ProblemLimits limits_;
  std::shared_ptr<Environment> environment_;  // null when there are no files
};

// The sources in order: the code in -e, the files, or standard input without either. Directories
// are searched for files of the form; a template may be named "module/name.epp". Missing files are
// reported and set `is_complete` to false.
std::vector<SyntaxSource> syntax_sources(const SyntaxInput& input, SourceForm form,
                                         const SyntaxRules& rules, Session& session,
                                         bool& is_complete);

// Reports the problems of one program as the reference does when it loads one: the warnings, and
// then the error, or several errors and their number. Returns the exit code.
int report_problems(std::span<const Diagnostic> problems, const ProblemLimits& limits,
                    Session& session);

}  // namespace bunraku
