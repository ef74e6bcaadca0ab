// What the commands about syntax have in common: where their code comes from, what settings hold
// for it, and how its problems are reported.
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
  std::vector<std::string> codes;  // of -e
  std::string file_name;           // what messages call these
};

// Declares the arguments FILES and -e.
void take_syntax_input(Command& command, SyntaxInput& input);

struct SyntaxSource {
  std::string path;  // empty for code of -e
  std::string code;  // where there is no path
  std::string name;  // what messages call the code
};
// Throws FileError.
SourcePointer load(const SyntaxSource& source);

// What the settings say of the language, and the environment with its modules. Safe from any
// thread.
class SyntaxRules {
 public:
  SyntaxRules(const SyntaxInput& input, Session& session);

  ParseOptions parsing(SourceForm form) const;
  // What holds for a file, its place among the modules included.
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

// The texts in their order: those of -e, the files, or standard input when neither is given.
// Directories are searched for files of the form; templates may be named as "module/name.epp".
// Missing files are reported, and `is_complete` is set to false.
std::vector<SyntaxSource> syntax_sources(const SyntaxInput& input, SourceForm form,
                                         const SyntaxRules& rules, Session& session,
                                         bool& is_complete);

// Reports the problems of one program as the reference does when it loads one: the warnings, and
// then the error, or several and how many there are. Gives the exit code.
int report_problems(std::span<const Diagnostic> problems, const ProblemLimits& limits,
                    Session& session);

}  // namespace bunraku
