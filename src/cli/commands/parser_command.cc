// `parser tokens`, `parser dump`, and the same of `epp`.
#include <memory>

#include "base/system/file_system.h"
#include "cli/commands/commands.h"
#include "cli/frame/syntax_input.h"
#include "syntax/dump.h"
#include "syntax/dump_tokens.h"

namespace bunraku {
namespace {

std::string command_name(SourceForm form, std::string_view what) {
  return (form == SourceForm::kTemplate ? "epp " : "parser ") + std::string(what);
}

int print_tokens(const SyntaxInput& input, SourceForm form, Session& session) {
  bool is_complete;
  int exit_code = kExitSuccess;
  const SyntaxRules rules(input, session);
  for (const SyntaxSource& source : syntax_sources(input, form, rules, session, is_complete)) {
    DiagnosticList problems;
    dump_tokens(load(source), rules.parsing(form), problems,
                [&session](std::string_view part) { session.print(part); });
    session.print("\n");
    const int result = report_problems(problems.all, rules.limits(), session);
    if (result != kExitSuccess) exit_code = result;
  }
  return is_complete ? exit_code : kExitFailure;
}

struct DumpOptions {
  SyntaxInput input;
  bool is_pretty = false;
  bool validates = true;
  bool has_header = true;
};

// The heading of a file, as in the reference: for a template only if there are other files.
std::string header_of(const SyntaxSource& source, const DumpOptions& options, SourceForm form,
                      bool has_others) {
  const bool is_file = !source.path.empty() && source.path != "-";
  if (!is_file || !options.has_header) return "";
  if (form != SourceForm::kTemplate) return "--- " + source.path;
  return has_others ? "--- " + source.path + "\n" : "";
}

int print_trees(const DumpOptions& options, SourceForm form, Session& session) {
  const std::string_view name = session.format_or("old");
  const DumpFormat format = name == "json" ? DumpFormat::kJson
                            : name == "pn" ? DumpFormat::kPn
                                           : DumpFormat::kOld;
  bool is_complete;
  int exit_code = kExitSuccess;
  const SyntaxRules rules(options.input, session);
  std::string text;
  const std::vector<SyntaxSource> sources =
      syntax_sources(options.input, form, rules, session, is_complete);
  for (const SyntaxSource& source : sources) {
    DiagnosticList problems;
    auto program = parse(load(source), rules.parsing(form), problems);
    if (options.validates && !problems.has_errors()) {
      validate(*program, rules.validation(source.path), problems);
    }
    const int result = report_problems(problems.all, rules.limits(), session);
    if (result != kExitSuccess) {
      exit_code = result;
      continue;
    }
    if (format != DumpFormat::kJson) text += header_of(source, options, form, sources.size() > 1);
    text += dump(*program, format, options.is_pretty);
    if (format == DumpFormat::kOld) text += "\n";
  }
  if (!text.empty() && !text.ends_with('\n')) text += "\n";
  session.print(text);
  return is_complete ? exit_code : kExitFailure;
}

}  // namespace

Command make_tokens_command(SourceForm form) {
  auto input = std::make_shared<SyntaxInput>();
  Command command(command_name(form, "tokens"), "What the lexer delivers");
  take_syntax_input(command, *input);
  command.formats({"json"});
  command.example("bunraku " + command.name() +
                      (form == SourceForm::kTemplate ? " -e 'a <%= $x %>'" : " -e '$a = 1'"),
                  "prints one JSON object for each text");
  command.run([input, form](Session& session) { return print_tokens(*input, form, session); });
  return command;
}

Command make_dump_command(SourceForm form) {
  auto options = std::make_shared<DumpOptions>();
  Command command(command_name(form, "dump"), "The tree that code is parsed into");
  take_syntax_input(command, options->input);
  command.flag("--pretty", "spread pn and json over lines", options->is_pretty);
  command.flag("--validate", "refuse what breaks a rule of the language (the default)",
               options->validates);
  if (form == SourceForm::kTemplate) {
    command.flag("--header", "with several files, say which comes", options->has_header);
  }
  command.formats({"old", "pn", "json"});
  command.details(
      "The format old is the nested form that the command always had, pn is Puppet Extended "
      "S-Expression Notation, and json is the same tree as JSON.");
  command.example("bunraku " + command.name() + " --format pn site.pp",
                  "prints the tree of a file");
  command.run([options, form](Session& session) { return print_trees(*options, form, session); });
  return command;
}

}  // namespace bunraku
