#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/code_evaluation.h"
#include "cli/commands.h"
#include "cli/session.h"
#include "environment/checked_program.h"
#include "pcore/serialization.h"
#include "support/file_system.h"
#include "support/json.h"

namespace bunraku {
namespace {

struct RenderOptions {
  std::vector<std::string> templates;
  std::vector<std::string> code;
  std::optional<std::string> values;
  std::optional<std::string> values_file;
  std::string node;
  bool has_header = true;
};

// The hash of arguments; undef when none were given.
Value arguments_of(CodeEvaluation& evaluation, const RenderOptions& options) {
  Arena& arena = evaluation.arena();
  HashBuilder all(arena);
  auto add = [&](Value value, std::string_view option) {
    if (!value.is_hash()) throw UsageError(std::string(option) + " takes a hash");
    all.set_all(value.as_hash());
  };
  if (options.values_file) {
    const std::string& path = *options.values_file;
    std::string_view text = arena.copy(read_file(path));
    bool is_code = path.ends_with(".pp");
    add(is_code ? evaluation.evaluate(std::string(text)) : read_yaml(arena, text, path),
        "--values_file");
  }
  if (options.values) add(evaluation.evaluate(*options.values), "--values");
  return options.values || options.values_file ? all.finish() : Value();
}

// "module/name.epp" of a module, or a path.
std::string path_of(CodeEvaluation& evaluation, const std::string& name) {
  ModuleHost* modules = evaluation.compiler().evaluator().host().modules;
  std::optional<std::string> found =
      exists(name) || modules == nullptr ? std::nullopt : modules->find_file("templates", name);
  return found.value_or(name);
}

std::string rendered(CodeEvaluation& evaluation, SourcePointer source, Value arguments,
                     Session& session) {
  ParsedFilePointer file =
      parse_and_validate(std::move(source), SourceForm::kTemplate, evaluation.parse_settings());
  ProgramPointer program = checked_program(*file, evaluation.problem_limits(), &session.log());
  Evaluator& evaluator = evaluation.compiler().evaluator();
  Value text =
      evaluator.render_template(*program, "lambda", arguments, false, evaluator.top_scope());
  if (text.is_sensitive()) text = text.as_sensitive();
  return std::string(text.as_string());
}

void print(const std::string& text, Session& session) {
  if (session.format_or("text") == "text") return session.print(text);
  std::string document;
  JsonWriter json(document, JsonForm::kPretty);
  json.begin_object();
  json.member("text", std::string_view(text));
  json.end_object();
  session.print(document + "\n");
}

int render(const RenderOptions& options, Session& session) {
  if (options.templates.empty() == options.code.empty()) {
    throw UsageError("give template files, or the text of a template with -e");
  }
  CompilationRequest request;
  request.node = options.node;
  CodeEvaluation evaluation(session, std::move(request), "");
  Value arguments = arguments_of(evaluation, options);
  std::string text;
  for (const std::string& code : options.code) {
    text += rendered(evaluation, std::make_shared<SourceFile>("", code), arguments, session);
  }
  bool has_headers = options.has_header && options.templates.size() > 1;
  for (const std::string& name : options.templates) {
    std::string path = path_of(evaluation, name);
    if (has_headers) text += (text.empty() ? "--- " : "\n--- ") + path + "\n";
    text += rendered(evaluation, std::make_shared<SourceFile>(path, read_file(path)), arguments,
                     session);
  }
  print(text, session);
  return kExitSuccess;
}

int run_render(const RenderOptions& options, Session& session) {
  int exit_code = kExitFailure;
  auto task = [&] {
    try {
      exit_code = render(options, session);
    } catch (const EvaluationError& error) {
      // Arguments that a template does not take were given on the command line: at no place in
      // code.
      const Diagnostic& diagnostic = error.diagnostic();
      bool has_place = diagnostic.primary.file != nullptr;
      exit_code =
          has_place ? session.fail(error) : session.fail(ErrorKind::kError, cause_of(diagnostic));
    }
  };
  run_on_large_stack(task);
  return exit_code;
}

}  // namespace

Command make_epp_render_command() {
  auto options = std::make_shared<RenderOptions>();
  Command command("epp render", "The text that an EPP template gives");
  command.argument("[TEMPLATES...]", "files, or MODULE/NAME.epp of modules", options->templates);
  command.option("-e, --execute TEXT", "render TEXT", options->code);
  command.option("--values CODE", "the template's arguments: a hash in the language",
                 options->values);
  command.option("--values_file FILE", "the same from a file: YAML, JSON or code (.pp)",
                 options->values_file);
  command.option("--node NAME", "the node that the template is rendered for", options->node);
  command.flag("--header", "with several files, say which comes", options->has_header);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku epp render -e 'Hello <%= $name %>' --values '{ name => you }'",
                  "prints Hello you");
  command.example("bunraku epp render ntp/ntp.conf.epp --values_file ntp.yaml --facts web01.yaml",
                  "a module's template with the facts of a node");
  command.run([options](Session& session) { return run_render(*options, session); });
  return command;
}

}  // namespace bunraku
