#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/formats/json.h"
#include "base/system/file_system.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "functions/core/files.h"
#include "serialization/serialization.h"
#include "types/ruby_value_text.h"

namespace bunraku {

using compilation::CodeEvaluation;

namespace {

struct RenderOptions {
  std::vector<std::string> templates;
  std::vector<std::string> code;
  std::optional<std::string> values;
  std::optional<std::string> values_file;
  std::string node;
  bool has_header = true;
};

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kInvalidValues, {}, {std::move(message)}),
                        ErrorKind::kError);
}

// The values in a file, which is data or code.
Value values_in(CodeEvaluation& evaluation, const std::string& path) {
  try {
    if (path.ends_with(".pp")) return evaluation.evaluate_file(path);
    if (path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json")) {
      return read_yaml(evaluation.arena(), evaluation.arena().copy(read_file(path)), path);
    }
  } catch (const FileError& error) {
    fail(fmt::format("Could not load --values_file {}", error.what()));
  } catch (const DataError& error) {
    fail(fmt::format("Could not load --values_file {}", error.what()));
  }
  fail("Only .yaml, .json or .pp can be used as a --values_file");
}

// The hash of arguments; undef when none are given: then a template gets no parameters.
Value arguments_of(CodeEvaluation& evaluation, const RenderOptions& options) {
  HashBuilder all(evaluation.arena());
  bool is_given = false;
  auto add = [&](Value value, std::string_view option) {
    if (value.is_undef()) return;
    if (!value.is_hash()) {
      fail(fmt::format("{} option must evaluate to a Hash or undef, got: '{}'", option,
                       ruby_class_name(value)));
    }
    for (const HashEntry& entry : value.as_hash()) {
      if (entry.key.is_string()) continue;
      std::string name;
      append_ruby_to_s(name, entry.key);
      fail(fmt::format("Scope variable name {} is a {}, not a string", name,
                       ruby_class_name(entry.key)));
    }
    all.set_all(value.as_hash());
    is_given = true;
  };
  if (options.values_file) add(values_in(evaluation, *options.values_file), "--values_file");
  if (options.values) add(evaluation.evaluate(*options.values), "--values");
  return is_given ? all.finish() : Value();
}

// The output of `render`, one of the functions for templates, for a file or text.
std::string rendered(CodeEvaluation& evaluation, Value (*render)(Call&),
                     const std::string& template_, Value arguments) {
  Evaluator& evaluator = evaluation.compiler().evaluator();
  const std::array<Value, 2> given = {Value::string(evaluation.arena(), template_), arguments};
  Call call{evaluator, evaluator.top_scope(), given, nullptr, Place()};
  Value text = render(call);
  if (text.is_sensitive()) text = text.as_sensitive();
  return std::string(text.as_string());
}

// A module's template takes precedence over a file of the same name.
std::string path_of(CodeEvaluation& evaluation, const std::string& name) {
  ModuleHost* modules = evaluation.compiler().evaluator().host().modules;
  if (modules != nullptr && modules->find_file("templates", name)) return name;
  return exists(name) ? absolute_path(name) : name;
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

// Renders all files, and prints the output if none has failed.
int render_files(CodeEvaluation& evaluation, const RenderOptions& options, Value arguments,
                 Session& session) {
  const bool are_many = options.templates.size() > 1;
  bool has_failed = false;
  std::string text;
  for (const std::string& name : options.templates) {
    if (are_many && options.has_header) text += (text.empty() ? "--- " : "\n--- ") + name + "\n";
    const std::string path = path_of(evaluation, name);
    try {
      text += rendered(evaluation, render_template_file, path, arguments);
    } catch (const EvaluationError& error) {
      if (are_many) session.fail(ErrorKind::kError, "--- " + path);
      session.fail_outside_code(error);
      has_failed = true;
    }
  }
  if (has_failed) return session.fail(ErrorKind::kError, "error while rendering epp");
  print(text, session);
  return kExitSuccess;
}

int render(const RenderOptions& options, Session& session) {
  if (!options.templates.empty() && !options.code.empty()) {
    throw UsageError("give template files, or the text of a template with -e");
  }
  CompilationRequest request;
  request.section = "user";
  request.only_defines = true;
  request.node = options.node;
  NodeEvaluation node(session, request, "values-hash");
  CodeEvaluation& evaluation = node.evaluation;
  const Value arguments = arguments_of(evaluation, options);
  if (!options.templates.empty()) return render_files(evaluation, options, arguments, session);
  std::vector<std::string> codes = options.code;
  if (codes.empty()) {
    if (isatty(STDIN_FILENO) != 0) fail("No input to process given on command line or stdin");
    codes.push_back(read_file("-"));
  }
  std::string text;
  for (const std::string& code : codes) {
    text += rendered(evaluation, render_template_text, code, arguments);
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
      exit_code = session.fail_outside_code(error);
    }
  };
  run_on_large_stack(task);
  return exit_code;
}

}  // namespace

Command make_epp_render_command() {
  auto options = std::make_shared<RenderOptions>();
  Command command("epp render", "The text that an EPP template gives");
  command.argument("[TEMPLATES...]",
                   "files, or MODULE/NAME.epp of modules; standard input when none is given",
                   options->templates);
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
