#include "environment/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "functions/command.h"
#include "support/diagnostic.h"

namespace bunraku {
namespace {

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, Range{}, {std::move(message)}),
                        ErrorKind::kError);
}

void add_class(TargetNode& node, Value name, Value parameters) {
  if (!name.is_string()) fail("A classifier's class name must be a string");
  const bool is_none = parameters.is_undef() ||
                       (parameters.is_array() && parameters.as_array().empty()) ||
                       (parameters.is_string() && parameters.as_string().empty());
  if (!is_none && !parameters.is_hash()) {
    fail(fmt::format("A classifier's parameters of class {} must be a hash", name.as_string()));
  }
  node.classes.push_back({name.as_string(), parameters});
}

}  // namespace

Value local_trusted_data(Arena& arena, std::string_view certname) {
  const size_t dot = certname.find('.');
  HashBuilder trusted(arena, 6);
  trusted.set("authenticated", Value::string("local"));
  trusted.set("certname", Value::string(certname));
  trusted.set("extensions", HashBuilder(arena).finish());
  trusted.set("hostname", Value::string(certname.substr(0, dot)));
  trusted.set("domain", dot == std::string_view::npos ? Value::undef()
                                                      : Value::string(certname.substr(dot + 1)));
  trusted.set("external", HashBuilder(arena).finish());
  return trusted.finish();
}

void apply_classification(Arena& arena, Value answer, TargetNode& node) {
  (void)arena;
  if (!answer.is_hash()) fail("A classifier's answer must be a hash");
  const HashObject& hash = answer.as_hash();
  if (const Value* classes = hash.find("classes")) {
    if (classes->is_hash()) {
      node.classes_have_parameters = true;
      for (const HashEntry& entry : classes->as_hash()) add_class(node, entry.key, entry.value);
    } else if (classes->is_array()) {
      for (const Value name : classes->as_array()) add_class(node, name, Value::undef());
    } else if (!classes->is_undef()) {
      fail("A classifier's classes must be a list or a hash");
    }
  }
  if (const Value* parameters = hash.find("parameters"); parameters && !parameters->is_undef()) {
    if (!parameters->is_hash()) fail("A classifier's parameters must be a hash");
    node.parameters = *parameters;
  }
  if (const Value* environment = hash.find("environment");
      environment && !environment->is_undef()) {
    if (!environment->is_string()) fail("A classifier's environment must be a string");
    node.environment = environment->as_string();
  }
}

namespace {

std::vector<std::string> words_of(std::string_view line) {
  constexpr std::string_view kBlanks(" \t\r\n\f\v\0", 7);
  std::vector<std::string> words;
  for (size_t at = line.find_first_not_of(kBlanks); at != line.npos;
       at = line.find_first_not_of(kBlanks, at)) {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// A program that could not be started ends with 1 in the reference, and tells why itself.
CommandResult as_told(CommandResult result, const std::string& program) {
  if (result.started) return result;
  return {true, 1,
          fmt::format("Error: Could not execute posix command: {} - {}", result.output, program)};
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
  const CommandResult result = as_told(run_command(words, ".", ErrorStream::kShown), words.front());
  if (result.status == 0) return result.output;
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  fail(fmt::format("Failed to find {} via exec: Execution of '{}' returned {}: {}", node_name, line,
                   result.status, result.output));
}

namespace {

// As Ruby runs a command line: by a shell where anything in it is a shell's, and otherwise the
// program itself, looked for along the path.
CommandResult run_line(const std::string& line) {
  if (line.find_first_of("*?{}[]<>()~&|\\$;'`\"\n#=%") != line.npos) {
    return run_command({"sh", "-c", line}, ".");
  }
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return {false, 0, "No such file or directory"};
  return run_command(words, ".");
}

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlanks(" \t\r\n\f\v\0", 7);
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace

std::string run_config_version(const std::string& command) {
  const CommandResult result = as_told(run_line(command), command.substr(0, command.find(' ')));
  const std::string_view output = stripped(result.output);
  if (result.status == 0) return std::string(output);
  fail(
      fmt::format("Execution of config_version command `{}` failed: Execution of '{}' returned "
                  "{}: {}",
                  command, command, result.status, output));
}

}  // namespace bunraku
