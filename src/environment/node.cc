#include "environment/node.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdio>

#include "support/diagnostic.h"

namespace bunraku {
namespace {

std::string quoted_for_shell(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out.push_back(c);
    }
  }
  return out + "'";
}

[[noreturn]] void fail(std::string message) {
  throw EvaluationError(make_diagnostic(Issue::kRuntimeError, Range{}, {std::move(message)}),
                        ErrorKind::kError);
}

void add_class(TargetNode& node, Value name, Value parameters) {
  if (!name.is_string()) fail("A classifier's class name must be a string");
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
      add_class(node, *classes, Value::undef());
    }
  }
  if (const Value* parameters = hash.find("parameters"); parameters && parameters->is_hash()) {
    node.parameters = *parameters;
  }
  if (const Value* environment = hash.find("environment");
      environment && environment->is_string() && !environment->as_string().empty()) {
    node.environment = environment->as_string();
  }
}

std::string run_classifier(const std::string& command, const std::string& node_name) {
  const std::string line = command + " " + quoted_for_shell(node_name);
  FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) fail(fmt::format("Failed to find {} via exec: {}", node_name, command));
  std::string output;
  char buffer[4096];
  size_t got;
  while ((got = ::fread(buffer, 1, sizeof buffer, pipe)) > 0) output.append(buffer, got);
  const int status = ::pclose(pipe);
  if (status != 0) {
    fail(fmt::format("Failed to find {} via exec: Execution of '{} {}' returned {}: {}", node_name,
                     command, node_name, WIFEXITED(status) ? WEXITSTATUS(status) : 1, output));
  }
  return output;
}

}  // namespace bunraku
