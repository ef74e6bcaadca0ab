#include "functions/core/registry.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "base/diagnostics/log.h"
#include "evaluation/evaluator.h"
#include "syntax/parser.h"

using namespace bunraku;

namespace {

class RegistryLoader : public FunctionLoader {
 public:
  const Function* find_function(Name name, const Place&) override {
    const Function* function = find_builtin_function(name);
    if (function == nullptr) function = find_stdlib_function(name);
    return function != nullptr ? function : find_module_function(name);
  }
};

// Evaluates code without an environment and returns the error; empty on success. Examples that need
// a catalog, an environment or the module's own types are not run here.
std::string failure_of(std::string_view code) {
  DiagnosticList diagnostics;
  auto source = std::make_shared<const SourceFile>("", std::string(code));
  auto program = parse(source, {}, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.all[0].message();
  Arena arena;
  RegistryLoader loader;
  LogKeeper log;
  Host host;
  host.functions = &loader;
  host.log = &log;
  Evaluator evaluator(arena, host);
  HashBuilder networking(arena);
  networking.set("fqdn", Value::string("node.example.com"));
  HashBuilder facts(arena);
  facts.set("networking", networking.finish());
  evaluator.top_scope().set(Name("facts"), facts.finish());
  evaluator.top_scope().set(Name("fqdn"), Value::string("node.example.com"));
  try {
    evaluator.evaluate_program(*program, evaluator.top_scope());
  } catch (const EvaluationError& error) {
    if (error.diagnostic().issue == Issue::kCatalogOperationNotSupportedWhenScripting ||
        error.diagnostic().issue == Issue::kExpressionNotSupportedWhenScripting) {
      return "";
    }
    return error.what();
  }
  return "";
}

// Returns whether an example needs an environment or a store.
bool needs_environment(std::string_view example) {
  return example.starts_with("inline_epp") || example.starts_with("puppetdb_query") ||
         example.find("Stdlib::") != example.npos || example.find("class ") != example.npos ||
         example.find("function ") != example.npos || example.find("notify {") != example.npos ||
         example.starts_with("type ");
}

void check_entries(std::span<const NativeFunctionInfo* const> functions) {
  std::set<std::string_view> names;
  for (const NativeFunctionInfo* info : functions) {
    CAPTURE(info->name);
    CHECK(names.insert(info->name).second);
    CHECK(!info->overloads.empty());
    CHECK((info->documentation.ends_with('.') || info->documentation.ends_with('?')));
    CHECK(!info->example.empty());
    // An invalid signature ends the program.
    CHECK(!native_function(*info).signatures().empty());
    if (info->is_legacy) CHECK(info->overloads.size() == 1);
    if (!needs_environment(info->example)) CHECK(failure_of(info->example) == "");
  }
}

}  // namespace

TEST_CASE("every built-in function has a signature, words about it and an example that runs") {
  check_entries(builtin_functions());
  CHECK(builtin_functions().size() == 105);
}

TEST_CASE("every native function of the standard library is complete too") {
  check_entries(stdlib_functions());
}

TEST_CASE("every native function of other modules is complete too") {
  check_entries(module_functions());
}

// The expected results are those of the modules' own code.
TEST_CASE("functions of other modules") {
  const auto holds = [](std::string_view condition) {
    CHECK(failure_of("unless " + std::string(condition) + " { fail('no') }") == "");
  };
  holds("apache::bool2httpd(true) == 'On'");
  holds("apache::bool2httpd('xFALSE') == 'Off'");
  holds("apache::bool2httpd(undef) == 'Off'");
  holds("apache::bool2httpd([1, 'true']) == '[1, \"true\"]'");
  holds(
      "apache::authz_core_config({'require_all' => {'require' => ['user a', 1]}}) == "
      "['  <RequireAll>', '    Require user a', '    Require 1', '  </RequireAll>']");
  holds("mysql::password('secret') == '*14E65567ABDB5135D0CFD9A70B3032C179A49EE7'");
  holds("mysql::password(Sensitive(''), true).unwrap == ''");
  holds(
      "postgresql::postgresql_password('u', 'p', false, 'md5') == "
      "'md5534b9a3588bdd87bf7c3b9d650e43e46'");
  holds(
      "postgresql::postgresql_password('u', 'p', false, 'scram-sha-256') == "
      "'SCRAM-SHA-256$4096:dQ==$5B+uyfbwzSNZske1nIC1lkkqc4F9uNsJmSDbtZ8uRMg=:"
      "DMX4oCixAwqImqOtp7KhgPphRVxMNe+0rYxd+qsipZo='");
}

TEST_CASE("functions are found by name") {
  CHECK(find_builtin_function(Name("map")) != nullptr);
  CHECK(find_builtin_function(Name("pick")) == nullptr);
  CHECK(find_builtin_function_info("each")->name == "each");
  CHECK(find_builtin_function_info("eac") == nullptr);
  CHECK(find_stdlib_function(Name("pick")) != nullptr);
  CHECK(find_stdlib_function(Name("map")) == nullptr);
}

TEST_CASE("a function of another version of the standard library is not answered natively") {
  CHECK(find_stdlib_function(Name("pick"), "/no/such/pick.rb") == nullptr);
}
