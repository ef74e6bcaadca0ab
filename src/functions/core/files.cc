// Functions that read files, modules and EPP templates.
#include "functions/core/files.h"

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/regex/regex.h"
#include "base/system/file_system.h"
#include "evaluation/evaluator.h"
#include "functions/core/command.h"
#include "functions/core/families.h"
#include "syntax/parser.h"
#include "types/ruby_value_text.h"

namespace bunraku {

std::optional<std::string> find_module_file(Call& call, std::string_view kind,
                                            std::string_view name) {
  if (ModuleHost* modules = call.evaluator.host().modules) return modules->find_file(kind, name);
  std::string path(name);
  if (!name.starts_with('/') || !exists(path)) return std::nullopt;
  return path;
}

std::optional<ModuleHost::FoundFile> read_module_file(Call& call, std::string_view kind,
                                                      std::string_view name) {
  if (ModuleHost* modules = call.evaluator.host().modules) return modules->read_file(kind, name);
  std::optional<std::string> path = find_module_file(call, kind, name);
  if (!path) return std::nullopt;
  try {
    const std::string_view contents = call.arena().copy(read_file(*path));
    return ModuleHost::FoundFile{std::move(*path), contents};
  } catch (const FileError& error) {
    call.fail(Issue::kMissingFile, {error.what()});
  }
}

namespace {

std::string ruby_text(Value value) {
  std::string text;
  append_ruby_to_s(text, value);
  return text;
}

// The first result that `find` has for a name; the arguments are names or arrays of names.
template <typename Find>
Value first_found(Call& call, Find find) {
  for (const Value& argument : call.arguments) {
    const std::span<const Value> names =
        argument.is_array() ? argument.as_array() : std::span(&argument, 1);
    for (const Value name : names) {
      if (auto path = find(name.as_string())) return Value::string(call.arena(), *path);
    }
  }
  return Value();
}

template <const char* kKind>
Value find_of_kind(Call& call) {
  return first_found(call,
                     [&](std::string_view name) { return find_module_file(call, kKind, name); });
}
constexpr char kFiles[] = "files";
constexpr char kTemplates[] = "templates";

Value file(Call& call) {
  for (const Value name : call.arguments) {
    if (const auto found = read_module_file(call, kFiles, ruby_text(name))) {
      return Value::string(found->contents);
    }
  }
  std::string all;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i > 0) all += ", ";
    all += ruby_text(call.arguments[i]);
  }
  call.fail(Issue::kMissingFile, {"Could not find any files from " + all});
}

Value binary_file(Call& call) {
  const std::string_view name = call.arguments[0].as_string();
  const auto found = read_module_file(call, kFiles, name);
  if (!found) {
    call.fail(Issue::kMissingFile,
              {"binary_file(): The given file '" + std::string(name) + "' does not exist"});
  }
  return Value::binary(found->contents);
}

Value module_directory(Call& call) {
  ModuleHost* modules = call.evaluator.host().modules;
  if (modules == nullptr) return Value();
  return first_found(call, [&](std::string_view name) { return modules->module_directory(name); });
}

// --- templates ----------------------------------------------------------------------------------

[[noreturn]] void fail_invalid_template(Call& call, std::string_view callee,
                                        const Diagnostic& problem) {
  call.fail(make_diagnostic(Issue::kInvalidEppTemplate, Range{}, {std::string(callee)}, problem));
}

ModuleHost& modules_of(Call& call, std::string_view callee) {
  if (ModuleHost* modules = call.evaluator.host().modules) return *modules;
  call.fail(Issue::kNoEnvironment, {std::string(callee)});
}

}  // namespace

Value render_template_file(Call& call) {
  std::string name(call.arguments[0].as_string());
  if (!name.ends_with(".epp") && !exists(name)) name += ".epp";
  auto path = find_module_file(call, kTemplates, name);
  if (!path) call.fail(Issue::kMissingTemplate, {name});
  ProgramPointer program;
  try {
    program = modules_of(call, "epp").parse_template(*path);
  } catch (const EvaluationError& error) {
    fail_invalid_template(call, "epp", error.diagnostic());
  }
  return call.evaluator.render_template(*program, "epp", call.argument(1), true, call.scope);
}

namespace {

// The parsed text of an inline template, cached for the next call.
const Program& parsed_inline_template(Call& call, std::string_view text) {
  if (const Program* known = call.evaluator.kept_template(text)) return *known;
  try {
    const ProgramPointer program =
        modules_of(call, "inline_epp").parse_template_text("inlined-epp-text", text);
    call.evaluator.keep_template(program);
    return *program;
  } catch (const EvaluationError& error) {
    fail_invalid_template(call, "inline_epp", error.diagnostic());
  }
}

}  // namespace

Value render_template_text(Call& call) {
  const Program& program = parsed_inline_template(call, call.arguments[0].as_string());
  return call.evaluator.render_template(program, "inline_epp", call.argument(1), false, call.scope);
}

namespace {

// --- generate -----------------------------------------------------------------------------------

Value generate(Call& call) {
  static const Regex& allowed = *Regex::compile(R"(^[-\/\w.+]+$)");
  std::vector<std::string> words;
  for (const Value word : call.arguments) words.push_back(ruby_text(word));
  const std::string& program = words[0];
  if (!program.starts_with('/'))
    call.fail(Issue::kGeneratorFailed, {"Generators must be fully qualified"});
  if (!allowed.matches(program)) {
    call.fail(Issue::kGeneratorFailed,
              {"Generators can only contain alphanumerics, file separators, and dashes"});
  }
  if (program.find("..") != program.npos)
    call.fail(Issue::kGeneratorFailed, {"Can not use generators with '..' in them."});

  const std::string directory(parent_directory(program));
  if (!is_directory(directory)) {
    call.fail(Issue::kGeneratorFailed, {"Working directory " + directory + " does not exist!"});
  }
  const CommandResult result = run_command(words, directory, {});
  const std::string failure = "Failed to execute generator " + program + ": ";
  if (!result.started) {
    call.fail(Issue::kGeneratorFailed,
              {failure + "Could not execute posix command: " + result.output + " - " + program});
  }
  std::string command = program;
  for (size_t i = 1; i < words.size(); ++i) command += " " + words[i];
  if (!result.ended_because.empty()) {
    call.fail(Issue::kGeneratorFailed,
              {failure + "Execution of '" + command + "' was ended: it " + result.ended_because});
  }
  if (result.status != 0) {
    call.fail(Issue::kGeneratorFailed, {failure + "Execution of '" + command + "' returned " +
                                        std::to_string(result.status) + ": " + result.output});
  }
  return Value::string(call.arena(), result.output);
}

constexpr Overload kFindFile[] = {{"(String *$paths)", find_of_kind<kFiles>},
                                  {"(Array[String] *$paths_array)", find_of_kind<kFiles>}};
constexpr Overload kFindTemplate[] = {{"(String *$paths)", find_of_kind<kTemplates>},
                                      {"(Array[String] *$paths_array)", find_of_kind<kTemplates>}};
constexpr Overload kModuleDirectory[] = {{"(String *$names)", module_directory},
                                         {"(Array[String] *$names)", module_directory}};
constexpr Overload kFile[] = {{"(Any $path, Any *$paths)", file}};
constexpr Overload kBinaryFile[] = {{"(String $path)", binary_file}};
constexpr Overload kEpp[] = {
    {R"((String $path, Hash[Pattern[/^\w+$/], Any] $parameters = default) )"
     ">> Variant[String, Sensitive[String]]",
     render_template_file}};
constexpr Overload kInlineEpp[] = {
    {R"((String $template, Hash[Pattern[/^\w+$/], Any] $parameters = default) )"
     ">> Variant[String, Sensitive[String]]",
     render_template_text}};
constexpr Overload kGenerate[] = {{"(Any $program, Any *$arguments)", generate}};

constexpr NativeFunctionInfo kFileFunctions[] = {
    {"find_file", kFindFile,
     "The path of the first of these files that exists, or undef. `module/name` is a file of a "
     "module's `files` directory; a path may be absolute too.",
     "find_file('/no/such/file', '/etc/passwd')"},
    {"find_template", kFindTemplate,
     "The path of the first of these templates that exists, or undef. `module/name` is a file of a "
     "module's `templates` directory; a path may be absolute too.",
     "find_template('/no/such/template')"},
    {"module_directory", kModuleDirectory,
     "The directory of the first of these modules that is there, or undef.",
     "module_directory('no_such_module')"},
    {"file", kFile,
     "The contents of the first of these files that exists; an error when none does. `module/name` "
     "is a file of a module's `files` directory; a path may be absolute too.",
     "file('/no/such/file', '/dev/null')", true},
    {"binary_file", kBinaryFile,
     "The contents of a file as a Binary. `module/name` is a file of a module's `files` directory; "
     "a path may be absolute too.",
     "binary_file('/dev/null')"},
    {"epp", kEpp,
     "Renders a template in the language's own form. `module/name` is a file of a module's "
     "`templates` directory, `.epp` may be left out. A hash gives the template's parameters; it "
     "sees global variables besides.",
     "if find_template('example/hello.epp') { epp('example/hello.epp', { 'name' => 'you' }) }"},
    {"inline_epp", kInlineEpp,
     "Renders text as a template in the language's own form. A hash gives its parameters; it sees "
     "the variables around the call besides.",
     "inline_epp('Hello, <%= $name %>!', { 'name' => 'you' })"},
    {"generate", kGenerate,
     "Runs a program, by its full path, with arguments, and returns what it writes. Fails when the "
     "program does.",
     "generate('/bin/echo', 'hello')", true},
};

}  // namespace

std::span<const NativeFunctionInfo> file_functions() {
  return kFileFunctions;
}

}  // namespace bunraku
