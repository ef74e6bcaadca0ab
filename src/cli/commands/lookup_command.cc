#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/formats/json.h"
#include "cli/commands/commands.h"
#include "cli/frame/node_compilation.h"
#include "cli/frame/session.h"
#include "cli/host_facts.h"
#include "functions/stdlib/json_text.h"
#include "serialization/serialization.h"
#include "site/lookup/explainer.h"
#include "types/interpolation.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {

using compilation::Compilation;

namespace {

struct LookupOptions {
  std::vector<std::string> keys;
  std::string node;
  std::string merge;
  std::string knockout_prefix;
  std::optional<std::string> default_value;
  std::string type;
  std::string render_as;
  bool sort_merged_arrays = false;
  bool merge_hash_arrays = false;
  bool explain = false;
  bool explain_options = false;
  bool compile = false;
  std::optional<std::string> compile_manifest;
  std::optional<std::string> compile_code;
  bool compiles() const { return compile || compile_manifest || compile_code; }
};

// Throws for values that the reference's `lookup` refuses as well.
void check(const LookupOptions& options) {
  constexpr std::array<std::string_view, 5> kStrategies = {"", "first", "hash", "unique", "deep"};
  if (std::ranges::find(kStrategies, options.merge) == kStrategies.end()) {
    throw UsageError("the --merge option only accepts 'first', 'hash', 'unique', or 'deep'");
  }
  const bool has_deep_options =
      options.sort_merged_arrays || options.merge_hash_arrays || !options.knockout_prefix.empty();
  if (has_deep_options && options.merge != "deep") {
    throw UsageError(
        "--sort-merged-arrays, --merge-hash-arrays and --knock-out-prefix go with --merge deep");
  }
  if (options.keys.empty() && (!options.explain_options || options.explain)) {
    throw UsageError("no keys were given to lookup");
  }
}

Value merge_of(Arena& arena, const LookupOptions& options) {
  if (options.merge.empty()) return Value();
  if (options.merge != "deep") return Value::string(arena, options.merge);
  HashBuilder merge(arena);
  merge.set("strategy", Value::string("deep"));
  merge.set("sort_merged_arrays", Value::boolean(options.sort_merged_arrays));
  merge.set("merge_hash_arrays", Value::boolean(options.merge_hash_arrays));
  if (!options.knockout_prefix.empty()) {
    merge.set("knockout_prefix", Value::string(arena, options.knockout_prefix));
  }
  return merge.finish();
}

Value look_up(Compilation& compilation, const LookupOptions& options) {
  Evaluator& evaluator = compilation.compiler().evaluator();
  std::vector<std::string_view> names(options.keys.begin(), options.keys.end());
  if (names.empty()) names.push_back("__global__");
  LookupRequest request;
  request.names = names;
  request.merge = merge_of(evaluator.arena(), options);
  if (options.default_value) {
    request.has_default = true;
    request.default_value = Value::string(*options.default_value);
  }
  if (!options.type.empty()) {
    request.value_type = parse_type(evaluator.arena(), options.type, evaluator.host().types);
  }
  return compilation.lookup().lookup(evaluator.top_scope(), request);
}

// Returns no value for a value that YAML cannot represent, such as a Sensitive or a type.
std::optional<std::string> value_as_yaml(Compilation& compilation, Value value) {
  Evaluator& evaluator = compilation.compiler().evaluator();
  const Call call{evaluator, evaluator.top_scope(), {}, nullptr, Place()};
  try {
    return stdlib::to_yaml_text(call, value, {});
  } catch (const stdlib::NeedsRubysYaml&) {
    return std::nullopt;
  }
}

// Output for people: text unchanged, collections as YAML without the line that begins a document,
// and other values in the language's syntax.
std::string value_as_text(Compilation& compilation, Value value) {
  if (value.is_string()) return std::string(value.as_string()) + "\n";
  const std::optional<std::string> yaml = value_as_yaml(compilation, value);
  if (!yaml) return interpolated(value) + "\n";
  std::string text = *yaml;
  const std::string_view begin = text.starts_with("---\n") ? "---\n" : "--- ";
  if (text.starts_with(begin)) text.erase(0, begin.size());
  if (text.ends_with("\n...\n")) text.resize(text.size() - 4);
  return text;
}

std::string value_as_json(Value value) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.key("value");
  write_rich_data(json, value, true, TypeForm::kText);
  json.end_object();
  return text;
}

std::string explanation_as_json(const Explainer& explainer) {
  std::string text;
  JsonWriter json(text, JsonForm::kPretty);
  json.begin_object();
  json.member("text", std::string_view(explainer.to_text()));
  json.key("tree");
  explainer.write_json(json);
  json.end_object();
  return text;
}

// Renders only the value, as the reference does.
std::string rendered(Compilation& compilation, Value value, std::string_view form) {
  Evaluator& evaluator = compilation.compiler().evaluator();
  const Call call{evaluator, evaluator.top_scope(), {}, nullptr, Place()};
  if (form == "yaml") {
    if (const std::optional<std::string> yaml = value_as_yaml(compilation, value)) return *yaml;
    throw EvaluationError(
        make_diagnostic(Issue::kUnrepresentable, Range{},
                        {"Such a value has no form in YAML; --format json has one for it"}));
  }
  if (form == "json") return stdlib::to_json_text(call, value, {}) + "\n";
  std::string text;
  append_ruby_to_s(text, value);
  return text + "\n";
}

int explain(Compilation& compilation, const LookupOptions& options, Session& session) {
  Explainer explainer(options.explain_options, options.explain_options && !options.explain);
  compilation.lookup().set_explainer(&explainer);
  try {
    look_up(compilation, options);
  } catch (const EvaluationError& error) {
    if (error.kind() != ErrorKind::kLookup) throw;
    explainer.text(one_line(error.diagnostic()));
  }
  const bool is_json =
      options.render_as.empty() ? session.format_or("text") == "json" : options.render_as != "s";
  session.print(is_json ? explanation_as_json(explainer) + "\n" : explainer.to_text());
  return kExitSuccess;
}

int answer(Compilation& compilation, const LookupOptions& options, Session& session) {
  if (options.compiles()) {
    compilation.compile();
  } else {
    compilation.compiler().begin();
  }
  if (options.explain || options.explain_options) return explain(compilation, options, session);
  const Value value = look_up(compilation, options);
  if (!options.render_as.empty()) {
    session.print(rendered(compilation, value, options.render_as));
    return kExitSuccess;
  }
  const bool is_json = session.format_or("text") == "json";
  session.print(is_json ? value_as_json(value) + "\n" : value_as_text(compilation, value));
  return kExitSuccess;
}

int run_lookup(const LookupOptions& options, Session& session) {
  check(options);
  CompilationRequest request;
  request.environment_section = "server";
  request.node = options.node;
  // Without --compile no manifests are evaluated, so only facts and settings are available.
  if (!options.compiles()) request.code = "undef";
  if (options.compile_code) request.code = options.compile_code;
  if (options.compile_manifest) request.manifest = options.compile_manifest;
  request.needs_facts = true;
  request.host_facts = [&](Arena& arena) {
    return agent_facts_of_host(session, arena, "server", false);
  };
  // Data belong to the environment, so an answer without one would be meaningless.
  if (session.given("hiera_config") == nullptr) session.require_environment();
  int exit_code = kExitFailure;
  auto task = [&] {
    NodeCompilation node(session, request);
    try {
      exit_code = answer(node.compilation, options, session);
    } catch (const EvaluationError& error) {
      exit_code = session.fail_outside_code(error);
    }
  };
  run_on_large_stack(task);
  return exit_code;
}

}  // namespace

Command make_lookup_command() {
  auto options = std::make_shared<LookupOptions>();
  Command command("lookup", "The value that Hiera has for a key");
  command.details(
      "Prints the value that the node would get: text as it is, collections as YAML; with --format "
      "json an object with the value as rich data. Exit codes: 0; 1 when no level has the key, or "
      "data cannot be used.");
  command.argument("[KEYS...]", "keys; the first that has a value is answered", options->keys);
  command.option("--node NAME", "the node that asks; this machine when left out", options->node);
  command.option("--merge STRATEGY",
                 "how values of several levels become one: first, unique, hash or deep",
                 options->merge);
  command.option("--knock-out-prefix PREFIX", "with --merge deep: what marks a value to remove",
                 options->knockout_prefix);
  command.flag("--sort-merged-arrays", "with --merge deep: sort arrays that were merged",
               options->sort_merged_arrays);
  command.flag("--merge-hash-arrays", "with --merge deep: merge hashes within arrays",
               options->merge_hash_arrays);
  command.option("--default VALUE", "the answer when no key has a value", options->default_value);
  command.option("--type TYPE", "fail unless the value is of this type", options->type);
  command.flag("--explain", "show where the value was looked for, in place of the value",
               options->explain);
  command.flag("--explain-options", "show how lookup_options were found", options->explain_options);
  command.flag("-c, --compile",
               "evaluate the node's manifests first, so that data may use their variables",
               options->compile);
  command.option("--compile-manifest PATH", "compile this file first, in place of the manifests",
                 options->compile_manifest);
  command.option("--compile-code CODE", "compile this code first, in place of the manifests",
                 options->compile_code);
  command.choice("--render-as FORMAT", {"s", "json", "yaml"},
                 "print the value alone: as interpolation shows it, as JSON or as YAML",
                 options->render_as);
  command.formats({"text", "json"});
  command.takes(OptionGroup::kEnvironment);
  command.takes(OptionGroup::kNode);
  command.example("bunraku lookup ntp::servers --node web01.example.com --facts web01.yaml",
                  "the value of a class's parameter for a node");
  command.example("bunraku lookup users --merge deep --explain",
                  "which levels of the hierarchy were asked, and what each answered");
  command.run([options](Session& session) { return run_lookup(*options, session); });
  return command;
}

}  // namespace bunraku
