// Passes values with millions of levels to everything that accepts a value: each native function in
// several ways, operators, types, statements, resources and their titles, messages and the
// catalog's JSON.
//
//   deep_values [--levels N] [--kind KIND] [--only TEXT] [--list]
//
// One value of each kind is created. Each subject is then tried in a process that is forked from
// there: an error is an accepted outcome; a signal, an exception of another kind or more than a
// minute is not. The exit code is 1 after any such failure.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "base/formats/json.h"
#include "base/system/stack.h"
#include "catalog/compiler/catalog_json.h"
#include "compilation/code_evaluation.h"
#include "functions/core/registry.h"
#include "serialization/serialization.h"
#include "types/interpolation.h"

namespace {

using namespace bunraku;
using namespace bunraku::compilation;

constexpr rlim_t kSeconds = 60;

struct Options {
  size_t levels = 5'000'000;
  std::string kind;
  std::string only;
  bool lists = false;
};

// A step from one level to the next: code with the level below in $m.
struct Kind {
  std::string_view name;
  std::string_view start;
  std::string_view step;
};
constexpr std::array<Kind, 9> kKinds{{{"array", "[]", "[$m]"},
                                      {"hash", "[]", "{ a => $m }"},
                                      {"key", "[]", "{ $m => 1 }"},
                                      {"pair", "[]", "[1, { a => 1, b => $m }]"},
                                      {"sensitive", "[]", "Sensitive($m)"},
                                      {"type", "Integer", "Array[$m]"},
                                      {"optional", "Integer", "Optional[Tuple[$m]]"},
                                      {"deferred", "[]", "Deferred('x', [$m])"},
                                      {"object", "[]", "DeepObject({ a => $m })"}}};

// The operations that are tried in one process.
struct Subject {
  std::string name;
  std::vector<std::string> codes;
};

std::string replaced(std::string_view form, std::string_view mark, std::string_view text) {
  std::string result(form);
  for (size_t at = 0; (at = result.find(mark, at)) != std::string::npos; at += text.size()) {
    result.replace(at, mark.size(), text);
  }
  return result;
}

std::vector<std::string> filled(std::span<const std::string_view> forms, std::string_view name) {
  std::vector<std::string> codes;
  for (const std::string_view form : forms) codes.push_back(replaced(form, "%", name));
  return codes;
}

void add_functions(std::vector<Subject>& to, std::span<const NativeFunctionInfo* const> functions) {
  static constexpr std::string_view kForms[] = {"%($deep)",
                                                "%($deep, $deep)",
                                                "%($deep, $deep, $deep)",
                                                "%([$deep])",
                                                "%({ a => $deep })",
                                                "%([$deep, $deep])",
                                                "%([[a, $deep], [b, $deep]])",
                                                "%($deep, 1)",
                                                "%($deep, a)",
                                                "%(1, $deep)",
                                                "%(a, $deep)",
                                                "%('%p%s', $deep)",
                                                "%('%p %s', $deep, $deep)",
                                                "%([$deep], $deep)",
                                                "%([$deep], [$deep])",
                                                "%($deep, [a])",
                                                "%([a, b], $deep)",
                                                "%({ a => $deep }, { a => $deep })",
                                                "%({ a => $deep }, a)",
                                                "%({ a => $deep }, [a])",
                                                "%({ a => $deep }, [a], $deep)",
                                                "%($deep, { a => $deep })",
                                                "%(Integer, $deep)",
                                                "%(Any, $deep)",
                                                "%(type($deep), $deep)",
                                                "%($deep, Integer)",
                                                "%('a', 'b', $deep)",
                                                "%('a', { b => { c => $deep } })",
                                                "%(Sensitive($deep))",
                                                "%($deep) |$x| { $x }",
                                                "%($deep) |$a, $b| { $a }",
                                                "%($deep, $deep) |$x| { $x }",
                                                "%([$deep, $deep]) |$x| { $x }",
                                                "%([$deep, $deep]) |$a, $b| { compare($a, $b) }",
                                                "%({ a => $deep }) |$a, $b| { [$a, $b] }",
                                                "%([1, 2], $deep) |$a, $b| { $a }",
                                                "%([1]) |$x| { $deep }",
                                                "%([1, 2]) |$a, $b| { $deep }",
                                                "%({ a => 1 }) |$x| { { b => $deep } }"};
  for (const NativeFunctionInfo* info : functions) {
    to.push_back({std::string(info->name), filled(kForms, info->name)});
  }
}

void add_operators(std::vector<Subject>& to) {
  static constexpr std::string_view kForms[] = {"$deep % $deep",
                                                "$other % $deep",
                                                "[$deep] % [$other]",
                                                "{ a => $deep } % { a => $other }",
                                                "$deep % 1",
                                                "1 % $deep",
                                                "$deep % 'a'",
                                                "'a' % $deep",
                                                "$deep % [1]",
                                                "[1] % $deep",
                                                "{ a => 1 } % $deep",
                                                "$deep % { a => 1 }",
                                                "Integer % $deep",
                                                "$deep % Any",
                                                "$deep % Data",
                                                "$deep % RichData",
                                                "type($deep) % type($other)",
                                                "$deep % type($other)",
                                                "$deep % /a/",
                                                "Sensitive($deep) % Sensitive($other)",
                                                "[[a, 1]] % $deep"};
  for (const std::string_view name : {"+", "-",  "*",  "/",  "%",  "<<", ">>",  "==", "!=", "<",
                                      ">", "<=", ">=", "=~", "!~", "in", "and", "or", "->", "~>"}) {
    to.push_back({std::string(name), filled(kForms, name)});
  }
}

void add_types(std::vector<Subject>& to) {
  static constexpr std::string_view kForms[] = {"%[$deep]",
                                                "%[$deep, $deep]",
                                                "%[[$deep]]",
                                                "%[{ a => $deep }]",
                                                "%[a, $deep]",
                                                "%[1, $deep]",
                                                "%[$deep, 1, 2]",
                                                "%($deep)",
                                                "%($deep, $deep)",
                                                "%([$deep])",
                                                "%({ a => $deep })",
                                                "%([[a, $deep]])",
                                                "%('a', $deep)",
                                                "%($deep, '%p')",
                                                "%($deep, { Any => '%p' })",
                                                "%($deep, true)",
                                                "$deep =~ %",
                                                "% < type($deep)",
                                                "type($deep) <= %",
                                                "% == type($deep)",
                                                "assert_type(%, $deep)",
                                                "assert_type(%[$deep], 1)",
                                                "Optional[%].new($deep)",
                                                "%[1][$deep]",
                                                "type(%) == type($deep)"};
  for (const std::string_view name :
       {"Any",       "Array",       "Binary",    "Boolean",   "Callable", "CatalogEntry",
        "Class",     "Collection",  "Data",      "Default",   "Deferred", "Enum",
        "Error",     "Float",       "Hash",      "Init",      "Integer",  "Iterable",
        "Iterator",  "NotUndef",    "Numeric",   "Object",    "Optional", "Pattern",
        "RichData",  "Regexp",      "Resource",  "Runtime",   "Scalar",   "ScalarData",
        "SemVer",    "SemVerRange", "Sensitive", "String",    "Struct",   "Timespan",
        "Timestamp", "Tuple",       "Type",      "TypeAlias", "TypeSet",  "TypeReference",
        "URI",       "Undef",       "Unit",      "Variant",   "File",     "Notify"}) {
    to.push_back({std::string(name), filled(kForms, name)});
  }
}

void add_statements(std::vector<Subject>& to) {
  to.push_back(
      {"texts",
       {"\"${deep}\"", "\"a${deep}b${other}\"", "\"${[$deep]}\"", "\"${deep[0]}\"",
        "@(\"E\")\n${deep}\n| E\n", "$deep", "[$deep, $other]", "{ $deep => 1, $other => 2 }",
        "{ $deep => 1 }[$other]", "notice($deep)", "warning([$deep], $deep)", "fail($deep)",
        "String($deep)", "String([$deep], '%#p')"}});
  to.push_back({"accesses",
                {"$deep[0]", "$deep[a]", "$deep[$other]", "[1][$deep]", "{ a => 1 }[$deep]",
                 "'abc'[$deep]", "$deep[0, 1]", "$deep[0][0][0]", "$deep.length", "Integer[$deep]",
                 "-$deep", "!$deep", "[*$deep]", "$x = [*$deep, *$other]", "[$p, $q] = $deep",
                 "[$r] = [$deep]", "[$s, $t] = { s => $deep, t => 1 }"}});
  to.push_back(
      {"control",
       {"if $deep { 1 }", "unless $deep { 1 }", "case $deep { $other: { 1 } default: { 2 } }",
        "case 1 { $deep: { 1 } default: { 2 } }", "case $deep { *$other: { 1 } default: { 2 } }",
        "case $deep { Array: { 1 } Hash: { 2 } default: { 3 } }",
        "$deep ? { $other => 1, default => 2 }",
        "$deep ? { Array[Array] => 1, Hash => 3, default => 2 }",
        "case [$deep] { [$other]: { 1 } }", "function deep_f(Integer $x) { } deep_f($deep)",
        "function deep_g($x) { $x } deep_g($deep)",
        "function deep_h(Array[Array[Integer]] *$x) >> Integer { $x } deep_h($deep)",
        "function deep_i($x) >> Struct[{ a => Integer }] { $x } deep_i($deep)",
        "type DeepAlias = Variant[Integer, Array[DeepAlias]] $deep =~ DeepAlias",
        "type DeepHash = Variant[Integer, Hash[String, DeepHash]] $deep =~ DeepHash",
        "type DeepTypes = Type[Variant[Integer, Array[DeepTypes]]] $deep =~ DeepTypes"}});
  to.push_back({"resources",
                {"notify { $deep: }",
                 "notify { [$deep, $other]: }",
                 "notify { 'b': message => $deep }",
                 "notify { 'c': * => { message => $deep } }",
                 "notify { 'd': * => $deep }",
                 "notify { 'e': message => Sensitive($deep) }",
                 "file { '/e': content => $deep, mode => $deep }",
                 "notify { 'f': require => $deep }",
                 "notify { 'g': tag => $deep, before => [$deep] }",
                 "notify { 'h': noop => $deep, schedule => $deep, alias => $deep }",
                 "exec { 'i': command => $deep, unless => $deep }",
                 "define deep_d($x) { notify { \"j\": message => $x } } deep_d { 'k': x => $deep }",
                 "define deep_e(Array[Array[Integer]] $x) { } deep_e { 'l': x => $deep }",
                 "class deep_c(Hash[String, Integer] $x) { } class { 'deep_c': x => $deep }",
                 "class deep_k($x) { notify { \"m${x}\": } } class { 'deep_k': x => $deep }",
                 "Notify { message => $deep } notify { 'n': }",
                 "notify { 'o': message => $deep } Notify['o'] { message => $other }",
                 "notify { 'p': message => $deep } Notify <| title == 'p' |> { message +> $other }",
                 "notify { 'p2': message => $deep } Notify <| message == $other |>",
                 "Notify <| title == $deep |>",
                 "@notify { 'q': message => $deep } realize(Notify['q'])",
                 "@@notify { 'r': message => $deep }",
                 "create_resources('notify', { 's' => { message => $deep } })",
                 "create_resources('notify', { $deep => { } })",
                 "create_resources('notify', { 't' => { } }, { message => $deep })",
                 "ensure_resource('notify', 'u', { message => $deep })",
                 "ensure_resources('notify', { 'v' => { message => $deep } })",
                 "Notify[$deep]",
                 "Class[$deep]",
                 "Resource['Notify', $deep]",
                 "Notify[$deep] -> Notify[$other]",
                 "include($deep)",
                 "tag($deep)",
                 "$deep -> Notify['z']"}});
  to.push_back({"templates",
                {"inline_epp('<%= $x %>', { x => $deep })",
                 "inline_epp('<% |Integer $x| %><%= $x %>', { x => $deep })",
                 "inline_epp('<%= $x == $y %><%= [$x].flatten %>', { x => $deep, y => $other })",
                 "inline_epp($deep)",
                 "inline_template('<%= @deep %>')",
                 "inline_template('<%= @deep.inspect %>')",
                 "inline_template('<%= @deep == @other %>')",
                 "inline_template('<%= @deep.to_s.size %>')",
                 "inline_template('<%= [@deep].flatten.size %>')",
                 "inline_template('<%= [@deep, @other].uniq.size %>')",
                 "inline_template('<%= [@deep, @other].sort %>')",
                 "inline_template('<%= [@deep].to_yaml %>')",
                 "inline_template('<%= [@deep].to_json %>')",
                 "inline_template('<%= { @deep => 1 }[@other] %>')",
                 "inline_template('<%= @deep.dup.hash == 1 %><%= @deep.class %>')",
                 "inline_template($deep)",
                 "inline_template('<%= scope[\"deep\"].join(\",\") %>')",
                 "inline_template('<%= \"#{@deep}\" %>')",
                 "inline_template('<%= @deep.map { |x| x }.to_a %>')",
                 "inline_template('<%= [@deep] - [@other] %>')",
                 "inline_template('<%= [@deep].include?(@other) %>')",
                 "inline_template('<%= @deep <=> @other %>')",
                 "inline_template('<%= @deep.eql?(@other) %>')",
                 "inline_template('<%= @deep.to_a.zip(@other) %>')"}});
}

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  add_statements(all);
  add_operators(all);
  add_types(all);
  add_functions(all, builtin_functions());
  add_functions(all, stdlib_functions());
  add_functions(all, module_functions());
  return all;
}

// Renders a value and an error in all forms.
void show(CodeEvaluation& evaluation, Value value) {
  std::string text;
  for (const bool is_rich : {true, false}) {
    try {
      JsonWriter json(text);
      write_rich_data(json, value, is_rich, TypeForm::kPcore);
    } catch (const EvaluationError&) {
    } catch (const DataError&) {
    }
  }
  interpolated(value);
  if (!evaluation.has_resources()) return;
  evaluation.finish();
  CatalogJsonOptions options;
  options.uuid = "00000000-0000-4000-8000-000000000000";
  JsonWriter json(text);
  json.begin_object();
  json.key("catalog");
  write_catalog(json, evaluation.compiler(), options);
}

void look_at(const EvaluationError& error) {
  one_line(error.diagnostic());
  json_of(log_record(error.diagnostic()));
}

void attempt(CodeEvaluation& evaluation, const std::string& code) {
  try {
    show(evaluation, evaluation.evaluate(code));
  } catch (const EvaluationError& error) {
    look_at(error);
  } catch (const DataError&) {
  } catch (const std::bad_alloc&) {
  }
}

// The number of codes that were started, which the parent can read after a crash.
struct Progress {
  std::atomic<size_t>* begun = static_cast<std::atomic<size_t>*>(
      mmap(nullptr, sizeof(std::atomic<size_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
           -1, 0));
};

// Runs in a separate process. Returns an empty text on success, otherwise the reason, with the
// code.
std::string outcome(CodeEvaluation& evaluation, const Subject& subject, size_t from,
                    const Progress& progress) {
  *progress.begun = from;
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{kSeconds, kSeconds};
    setrlimit(RLIMIT_CPU, &limit);
    for (size_t i = from; i < subject.codes.size(); ++i) {
      *progress.begun = i + 1;
      attempt(evaluation, subject.codes[i]);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string& code =
      subject.codes[progress.begun->load() == 0 ? 0 : progress.begun->load() - 1];
  const std::string why = !WIFSIGNALED(status) ? "exit code " + std::to_string(WEXITSTATUS(status))
                          : WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                              ? "takes more than a minute"
                              : strsignal(WTERMSIG(status));
  return why + ": " + code;
}

struct Totals {
  size_t passed = 0;
  size_t failed = 0;
};

void try_subject(CodeEvaluation& evaluation, const Kind& kind, const Subject& subject,
                 Totals& totals) {
  static const Progress progress;
  for (size_t from = 0; from < subject.codes.size();) {
    const std::string problem = outcome(evaluation, subject, from, progress);
    const size_t begun =
        problem.empty() ? subject.codes.size() : std::max(progress.begun->load(), from + 1);
    totals.passed += begun - from - (problem.empty() ? 0 : 1);
    from = begun;
    if (problem.empty()) continue;
    ++totals.failed;
    std::printf("FAILED %s: %s\n", std::string(kind.name).c_str(), problem.c_str());
    std::fflush(stdout);
  }
}

void try_kind(const Kind& kind, const Options& options, Totals& totals) {
  Service service(Settings({{{"modulepath", "/usr/share/puppet/modules"}}, "server"}), {},
                  CodeEvaluation::sources({}));
  NodeInput node;
  node.name = "n.example.com";
  LogKeeper log;
  CodeEvaluation evaluation(service, node, log, "deep.pp");
  evaluation.begin();
  if (kind.name == "object") {
    evaluation.evaluate("type DeepObject = Object[{ attributes => { a => Any } }]");
  }
  const std::string levels = std::to_string(options.levels);
  for (const char* name : {"deep", "other"}) {
    evaluation.evaluate(std::string("$") + name + " = Integer[1, " + levels + "].reduce(" +
                        std::string(kind.start) + ") |$m, $i| { " + std::string(kind.step) +
                        " } 1");
  }
  for (const Subject& subject : subjects()) {
    if (subject.name.find(options.only) == std::string::npos) continue;
    try_subject(evaluation, kind, subject, totals);
  }
}

int run(const Options& options) {
  if (options.lists) {
    for (const Subject& subject : subjects()) {
      std::printf("%s: %zu\n", subject.name.c_str(), subject.codes.size());
    }
    return 0;
  }
  Totals totals;
  for (const Kind& kind : kKinds) {
    if (options.kind.empty() || kind.name == options.kind) try_kind(kind, options, totals);
  }
  std::printf("%zu passed, %zu failed\n", totals.passed, totals.failed);
  return totals.failed == 0 && totals.passed > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Hands values of millions of levels to everything that takes a value.");
  app.add_option("--levels", options.levels, "how deep values are")->take_last();
  app.add_option("--kind", options.kind, "one kind of values only");
  app.add_option("--only", options.only, "functions, operators and types with this in their name");
  app.add_flag("--list", options.lists, "what is tried, with the number of ways");
  CLI11_PARSE(app, argc, argv);
  int exit_code = 1;
  auto task = [&] { exit_code = run(options); };
  try {
    run_on_large_stack(task);
  } catch (const EvaluationError& error) {
    std::fprintf(stderr, "deep_values: %s\n", one_line(error.diagnostic()).c_str());
  }
  return exit_code;
}
