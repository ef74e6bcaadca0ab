// The phases of a compilation.
#include "catalog/compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "base/memory/data_names.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

constexpr int kMostGeneratorRounds = 1000;

std::string without_leading_colons(std::string_view name) {
  return downcase(name.starts_with("::") ? name.substr(2) : name);
}

}  // namespace

Compiler::Compiler(const Environment& environment, const TargetNode& node, Arena& arena,
                   const CompilerOptions& options, LogSink* log)
    : state_(environment, node, arena, options, *this, log) {
  if (options.spares_main_files) state_.definitions.spare_main_files();
}

namespace {

// Runs a step whose errors, being outside any expression, are reported without a prefix.
template <typename Step>
auto without_prefix(Step step) {
  try {
    return step();
  } catch (EvaluationError& error) {
    const Diagnostic& diagnostic = error.diagnostic();
    if (info(diagnostic.issue).is_raised && diagnostic.primary.file == nullptr) {
      error.set_kind(ErrorKind::kError);
    }
    throw;
  }
}

}  // namespace

void Compiler::compile() {
  without_prefix([&] {
    begin();
    finish();
  });
}

void Compiler::begin() {
  state_.scope_of(state_.evaluator.top_scope());
  state_.definitions.load_initial_manifests(state_.options.code);
  if (state_.environment.has_forbidden_manifest()) {
    fail(Issue::kForbiddenManifest, {state_.environment.name()});
  }
  Resource& stage = declarations_.new_resource("stage"_name, "main", state_.evaluator.top_scope());
  stage.is_main = true;
  declarations_.initialize(stage, {});
  state_.catalog.add(stage);
  for (const NodeClass& node_class : state_.node.classes) state_.catalog.add_class(node_class.name);
  set_node_variables();
  create_settings_class();
  if (state_.options.only_defines) state_.definitions.main().bodies.clear();
  evaluate_main();
  if (state_.options.only_defines) return;
  evaluate_node();
  evaluate_node_classes();
}

Value Compiler::evaluate(const ProgramPointer& program) {
  without_prefix([&] { state_.definitions.add_program(program, Name("")); });
  return state_.evaluator.evaluate_program(*program, state_.evaluator.top_scope());
}

void Compiler::finish() {
  evaluate_generators();
  relationships_.evaluate_relationships();
  finish_resources();
  propagate_metaparameters();
  fail_on_unevaluated();
  const std::vector<Dependency> dependencies = relationships_.check_relationship_targets();
  if (attributes_.has_late_alias()) state_.catalog.check_aliases();
  warn_of_cycles(state_.catalog, dependencies, state_.evaluator.host().log);
}

// --- the node's variables -----------------------------------------------------------------------

namespace {

// Checks the name of a fact or of a classifier's parameter, which becomes a variable.
void check_variable_name(std::string_view name) {
  if (name == "facts" || name == "server_facts") {
    fail(Issue::kReservedVariable, {std::string(name)});
  }
  if (is_match_variable(name)) {
    fail(Issue::kNumericVariable, {std::string(name)});
  }
  // The main class sets these itself.
  if (name == "title" || name == "name" || name == "module_name") {
    fail(Issue::kReassignedVariable, {std::string(name)});
  }
}

}  // namespace

void Compiler::set_node_variables() {
  Scope& top = state_.evaluator.top_scope();
  const auto set_all = [&](Value hash) {
    if (!hash.is_hash()) return;
    for (const HashEntry& entry : hash.as_hash()) {
      std::string shown;
      append_ruby_to_s(shown, entry.key);
      const std::string_view text =
          entry.key.is_string() ? entry.key.as_string() : state_.arena.copy(shown);
      if (text == "environment" || text == "trusted") continue;
      check_variable_name(text);
      const Name name = data_name(text);
      if (!top.is_bound(name)) {
        top.set(name, entry.value);
      } else {
        warn_of_taken_parameter(name, *top.find(name), entry.value);
      }
    }
  };
  set_all(state_.node.parameters);
  if (state_.node.facts.is_hash()) {
    const Value* taken = state_.node.facts.as_hash().find("environment");
    if (taken != nullptr) {
      warn_of_taken_parameter("environment"_name, Value::string(state_.environment.name()), *taken);
    }
  }
  set_all(state_.node.facts);
  set_all(state_.node.server_facts);
  top.set("environment"_name, Value::string(state_.environment.name()));
  top.set("trusted"_name, state_.node.trusted);
  HashBuilder server_facts(state_.arena);
  if (state_.node.server_facts.is_hash()) server_facts.set_all(state_.node.server_facts.as_hash());
  server_facts.set("environment", Value::string(state_.environment.name()));
  const auto set_over = [&](Name name, Value value) {
    if (!top.is_bound(name)) top.set(name, value);
  };
  set_over("server_facts"_name, server_facts.finish());
  set_over("facts"_name,
           state_.node.facts.is_hash() ? state_.node.facts : HashBuilder(state_.arena).finish());
  if (!state_.options.variables.is_hash()) return;
  for (const HashEntry& entry : state_.options.variables.as_hash()) {
    if (entry.key.is_string()) set_over(data_name(entry.key.as_string()), entry.value);
  }
}

void Compiler::warn_of_taken_parameter(Name name, Value before, Value value) {
  LogSink* log = state_.evaluator.host().log;
  if (log == nullptr) return;
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = fmt::format("The node parameter '{}' for node '{}' was already set to '",
                               name.text(), state_.node.name);
  append_ruby_to_s(record.message, before);
  record.message += "'. It could not be set to '";
  append_ruby_to_s(record.message, value);
  record.message += "'";
  log->log(record);
}

void Compiler::create_settings_class() {
  if (const std::string& wrong = state_.environment.conf().wrong_boolean; !wrong.empty()) {
    throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, Range{}, {wrong}),
                          ErrorKind::kError);
  }
  const Name name = "settings"_name;
  Definition& definition = state_.definitions.add_internal_class(name);
  Resource& resource =
      declarations_.new_resource("class"_name, "Settings", state_.evaluator.top_scope());
  declarations_.initialize(resource, {});
  state_.catalog.add(resource);
  bodies_.evaluate_code(resource);
  resource.is_evaluated = true;
  if (state_.options.settings_variables != nullptr) {
    definition.scope->share_variables(*state_.options.settings_variables);
  }
}

// --- main, node, classes of the classifier ------------------------------------------------------

void Compiler::evaluate_main() {
  Scope& top = state_.evaluator.top_scope();
  top.catalog->source = &state_.definitions.main();
  Resource& resource = declarations_.new_resource("class"_name, "main", top);
  resource.is_main = true;
  declarations_.initialize(resource, {});
  state_.main = &resource;
  top.catalog->resource = &resource;
  top.resource_text = "Class[main]";
  declarations_.add_resource(top, resource);
  bodies_.evaluate_resource(resource);
}

void Compiler::evaluate_node() {
  if (!state_.definitions.has_nodes()) return;
  Definition* definition = state_.definitions.find_node(state_.node.name);
  if (definition == nullptr) definition = state_.definitions.find_node("default");
  if (definition == nullptr) {
    fail(Issue::kNoNodeDefinition, {std::string(state_.node.name)});
  }
  Resource& resource =
      declarations_.ensure_declared(state_.evaluator.top_scope(), *definition, {}, false);
  bodies_.evaluate_resource(resource);
  state_.node_scope = definition->scope;
}

void Compiler::evaluate_node_classes() {
  Scope& scope = state_.node_scope != nullptr ? *state_.node_scope : state_.evaluator.top_scope();
  const auto find = [&](std::string_view name) -> Definition& {
    Definition* definition = state_.definitions.find_class(Name(without_leading_colons(name)));
    if (definition == nullptr) {
      fail_unknown(Issue::kUnknownClass, {std::string(name), std::string(state_.node.name)}, name,
                   state_.definitions.class_names());
    }
    return *definition;
  };
  const auto has_parameters = [&](const NodeClass& node_class) {
    return state_.node.classes_have_parameters && node_class.parameters.is_hash() &&
           node_class.parameters.as_hash().size > 0;
  };
  std::vector<std::pair<Definition*, const NodeClass*>> with;
  for (const NodeClass& node_class : state_.node.classes) {
    if (has_parameters(node_class)) with.emplace_back(&find(node_class.name), &node_class);
  }
  for (const auto& [definition, node_class] : with) {
    state_.recorder.class_request(*definition, Provenance::Request::Kind::kClassifier, {}, scope);
    std::vector<ResourceParameter> parameters;
    for (const HashEntry& entry : node_class->parameters.as_hash()) {
      parameters.push_back(
          {data_name(entry.key.as_string()), entry.value, definition, Place{}, false});
    }
    declarations_.ensure_declared(scope, *definition, parameters, true);
  }
  std::vector<Definition*> without;
  for (const NodeClass& node_class : state_.node.classes) {
    if (has_parameters(node_class)) continue;
    without.push_back(&find(node_class.name));
    state_.recorder.class_request(*without.back(), Provenance::Request::Kind::kClassifier, {},
                                  scope);
  }
  declarations_.declare_classes(scope, without, false);
}

// --- lazy things --------------------------------------------------------------------------------

void Compiler::evaluate_generators() {
  for (int round = 0;; ++round) {
    if (round > kMostGeneratorRounds) {
      fail(Issue::kEndlessEvaluation, {});
    }
    const bool collected = collectors_.evaluate_collectors();
    const bool evaluated = declarations_.evaluate_definitions();
    if (!collected && !evaluated) return;
  }
}

// --- the end ------------------------------------------------------------------------------------

void Compiler::fail_on_unevaluated() {
  std::vector<std::string> names;
  for (const Override& change : overrides_.waiting()) {
    names.push_back(
        fmt::format("{}[{}]", capitalized_segments(change.type_key.text()), change.title));
  }
  if (!names.empty()) {
    fail(Issue::kUnknownOverridden, {fmt::format("{}", fmt::join(names, ", "))});
  }
  for (const auto& collector : collectors_.all()) {
    for (const Collector::Reference& reference : collector->wanted) {
      names.push_back(reference.text);
    }
  }
  if (!names.empty()) {
    Diagnostic diagnostic =
        make_diagnostic(Issue::kUnknownRealized, {}, {fmt::format("{}", fmt::join(names, ", "))});
    for (const auto& collector : collectors_.all()) {
      if (!collector->wanted.empty()) {
        diagnostic.labels.push_back({collector->place.range(), "realized here"});
      }
    }
    throw EvaluationError(std::move(diagnostic));
  }
}

// --- recording and questions ---------------------------------------------------------------------

void Compiler::record(Provenance& provenance, RecordingData& data) {
  state_.recorder.start(provenance, data);
  state_.evaluator.host().data = &data;
}

bool Compiler::is_known_class(Name class_name) {
  return state_.definitions.find_class(class_name) != nullptr;
}

Scope* Compiler::class_scope(Name class_name) {
  const Definition* definition = state_.definitions.find_class(class_name);
  return definition != nullptr ? definition->scope : nullptr;
}

}  // namespace bunraku
