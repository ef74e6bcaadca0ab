#include "site/node/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/diagnostics/diagnostic.h"
#include "base/system/file_system.h"
#include "base/text/ascii.h"
#include "functions/core/command.h"
#include "site/node/facts.h"
#include "validation/ruby_json.h"

namespace bunraku {
namespace {

constexpr std::string_view kBlanks(" \t\r\n\f\v\0", 7);

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kCommandFailed, Range{}, {std::move(message)}),
                        ErrorKind::kError);
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (size_t at = line.find_first_not_of(kBlanks); at != line.npos;
       at = line.find_first_not_of(kBlanks, at)) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// Imitates the reference for a program that could not be started: status 1, and the reason as
// output.
CommandResult as_in_reference(CommandResult result, const std::string& program) {
  if (result.started) return result;
  return {true,
          1,
          fmt::format("Error: Could not execute posix command: {} - {}", result.output, program),
          {}};
}

bool has_failed(const CommandResult& result) {
  return result.status != 0 || !result.ended_because.empty();
}

std::string execution_failure(std::string_view line, const CommandResult& result) {
  if (!result.ended_because.empty()) {
    return fmt::format("Execution of '{}' was ended: it {}", line, result.ended_because);
  }
  return fmt::format("Execution of '{}' returned {}: {}", line, result.status,
                     stripped(result.output));
}

// Runs a program; its standard error is passed on.
CommandResult run_program(const std::vector<std::string>& words) {
  return as_in_reference(run_command(words, ".", {.errors = ErrorStream::kShown}), words.front());
}

}  // namespace

std::string run_classifier(const std::string& command, const std::string& node_name) {
  if (command == "none") {
    fail("You must set the 'external_nodes' parameter to use the external node terminus");
  }
  std::vector<std::string> words = words_of(command);
  if (words.empty() || !words.front().starts_with('/')) {
    fail("You must set the exec parameter to a fully qualified command");
  }
  words.push_back(node_name);
  const CommandResult result = run_program(words);
  if (!has_failed(result)) return result.output;
  fail(fmt::format("Failed to find {} via exec: {}", node_name,
                   execution_failure(fmt::format("{}", fmt::join(words, " ")), result)));
}

namespace {

// Runs a command line as Ruby does: with a shell when it has shell syntax, otherwise the program
// directly, found along the path.
CommandResult run_line(const std::string& line) {
  if (line.find_first_of("*?{}[]<>()~&|\\$;'`\"\n#=%") != line.npos) {
    return run_command({"sh", "-c", line}, ".", {});
  }
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return {false, 0, "No such file or directory", {}};
  return run_command(words, ".", {});
}

}  // namespace

std::string run_config_version(const std::string& command) {
  const CommandResult result =
      as_in_reference(run_line(command), command.substr(0, command.find(' ')));
  if (!has_failed(result)) return std::string(stripped(result.output));
  fail(fmt::format("Execution of config_version command `{}` failed: {}", command,
                   execution_failure(command, result)));
}

namespace {

Value ask_of_node(Arena& arena, const std::string& program, std::string_view certname) {
  const CommandResult result = run_program({program, std::string(certname)});
  if (has_failed(result)) {
    fail(execution_failure(fmt::format("{} {}", program, certname), result));
  }
  Arena reading;
  try {
    return value_of_data(arena, read_ruby_json(result.output, reading));
  } catch (const DataError& error) {
    fail(error.what());
  }
}

// The name without its extension; ".hidden" has no extension.
std::string_view base_name(std::string_view file) {
  const size_t dot = file.rfind('.');
  return dot == 0 ? file : file.substr(0, dot);
}

std::vector<DirectoryEntry> entries_of(const std::string& directory) {
  try {
    return list_directory(directory);
  } catch (const FileError& error) {
    fail(fmt::format("{} @ dir_initialize - {}", error.reason(), directory));
  }
}

}  // namespace

Value run_trusted_external(Arena& arena, const TrustedExternalCommand& command,
                           std::string_view certname) {
  const Value nothing = HashBuilder(arena).finish();
  if (command.path.empty()) return nothing;
  if (!command.is_directory) {
    const Value answer = ask_of_node(arena, command.path, certname);
    return answer.is_truthy() ? answer : nothing;
  }
  HashBuilder answers(arena);
  for (const DirectoryEntry& file : entries_of(command.path)) {
    const std::string path = join_path(command.path, file.name);
    if (!is_file(path) || access(path.c_str(), X_OK) != 0) continue;
    const Value name = Value::string(arena, base_name(file.name));
    if (const Value* known = answers.find(name); known != nullptr && !known->is_undef()) {
      fail(fmt::format("There is more than one '{}' script in {}", name.as_string(), command.path));
    }
    answers.set(name, ask_of_node(arena, path, certname));
  }
  return answers.finish();
}

}  // namespace bunraku
