#include "catalog/compiler/compiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/diagnostic_renderer.h"
#include "base/diagnostics/log.h"
#include "base/memory/data_names.h"
#include "base/system/file_system.h"
#include "base/text/utf8.h"
#include "catalog/compiler/errors.h"
#include "types/ruby_value_text.h"
#include "types/type_text.h"

namespace bunraku {
namespace {

constexpr int kMostGeneratorRounds = 1000;

Host make_host(Loader& loader, CatalogHost& catalog, LogSink* log) {
  Host host;
  host.functions = &loader;
  host.types = &loader;
  host.catalog = &catalog;
  host.modules = &loader;
  host.log = log;
  return host;
}

// Where what is known of types in Ruby is kept.
std::string ruby_types_folder(Value settings) {
  const Value* vardir = settings.is_hash() ? settings.as_hash().find("vardir") : nullptr;
  if (vardir == nullptr || !vardir->is_string() || vardir->as_string().empty()) return {};
  return join_path(vardir->as_string(), "bunraku/types");
}

std::string without_leading_colons(std::string_view name) {
  return downcase(name.starts_with("::") ? name.substr(2) : name);
}

}  // namespace

Compiler::Compiler(const Environment& environment, const TargetNode& node, Arena& arena,
                   const CompilerOptions& options, LogSink* log)
    : arena_(arena),
      environment_(environment),
      node_(node),
      options_(options),
      loader_(environment, arena, log),
      evaluator_(arena, make_host(loader_, *this, log), options.evaluation),
      definitions_(environment, loader_, evaluator_),
      catalog_(arena),
      ruby_types_(environment, loader_, evaluator_, ruby_types_folder(options.settings)) {
  loader_.set_evaluator(evaluator_);
}

Compiler::~Compiler() = default;

CatalogScope& Compiler::catalog_scope(Scope& scope) {
  if (scope.catalog == nullptr) scope.catalog = arena_.make<CatalogScope>();
  return *scope.catalog;
}

namespace {

// What fails outside any expression is told without a prefix.
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
  catalog_scope(evaluator_.top_scope());
  definitions_.load_initial_manifests();
  if (environment_.has_forbidden_manifest()) {
    fail(Issue::kForbiddenManifest, {environment_.name()});
  }
  Resource& stage = new_resource("stage"_name, "main", evaluator_.top_scope());
  stage.is_main = true;
  initialize(stage, {});
  catalog_.add(stage);
  for (const NodeClass& node_class : node_.classes) catalog_.add_class(node_class.name);
  set_node_variables();
  create_settings_class();
  if (options_.only_defines) definitions_.main().bodies.clear();
  evaluate_main();
  if (options_.only_defines) return;
  evaluate_node();
  evaluate_node_classes();
}

Value Compiler::evaluate(const ProgramPointer& program) {
  without_prefix([&] { definitions_.add_program(program, Name("")); });
  return evaluator_.evaluate_program(*program, evaluator_.top_scope());
}

void Compiler::finish() {
  evaluate_generators();
  evaluate_relationships();
  finish_resources();
  propagate_metaparameters();
  fail_on_unevaluated();
  const std::vector<Dependency> dependencies = check_relationship_targets();
  if (has_late_alias_) catalog_.check_aliases();
  warn_of_cycles(dependencies);
}

// --- the node's variables -----------------------------------------------------------------------

namespace {

// Facts, and what a classifier gives, become variables.
void check_variable_name(std::string_view name) {
  if (name == "facts" || name == "server_facts") {
    fail(Issue::kReservedVariable, {std::string(name)});
  }
  if (is_match_variable(name)) {
    fail(Issue::kNumericVariable, {std::string(name)});
  }
  // The main class has these itself.
  if (name == "title" || name == "name" || name == "module_name") {
    fail(Issue::kReassignedVariable, {std::string(name)});
  }
}

}  // namespace

void Compiler::set_node_variables() {
  Scope& top = evaluator_.top_scope();
  const auto set_all = [&](Value hash) {
    if (!hash.is_hash()) return;
    for (const HashEntry& entry : hash.as_hash()) {
      std::string shown;
      append_ruby_to_s(shown, entry.key);
      const std::string_view text =
          entry.key.is_string() ? entry.key.as_string() : arena_.copy(shown);
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
  set_all(node_.parameters);
  if (node_.facts.is_hash()) {
    const Value* taken = node_.facts.as_hash().find("environment");
    if (taken != nullptr) {
      warn_of_taken_parameter("environment"_name, Value::string(environment_.name()), *taken);
    }
  }
  set_all(node_.facts);
  set_all(node_.server_facts);
  top.set("environment"_name, Value::string(environment_.name()));
  top.set("trusted"_name, node_.trusted);
  HashBuilder server_facts(arena_);
  if (node_.server_facts.is_hash()) server_facts.set_all(node_.server_facts.as_hash());
  server_facts.set("environment", Value::string(environment_.name()));
  const auto set_over = [&](Name name, Value value) {
    if (!top.is_bound(name)) top.set(name, value);
  };
  set_over("server_facts"_name, server_facts.finish());
  set_over("facts"_name, node_.facts.is_hash() ? node_.facts : HashBuilder(arena_).finish());
  if (!options_.variables.is_hash()) return;
  for (const HashEntry& entry : options_.variables.as_hash()) {
    if (entry.key.is_string()) set_over(Name(entry.key.as_string()), entry.value);
  }
}

void Compiler::warn_of_taken_parameter(Name name, Value before, Value value) {
  LogSink* log = evaluator_.host().log;
  if (log == nullptr) return;
  LogRecord record;
  record.level = LogLevel::kWarning;
  record.message = fmt::format("The node parameter '{}' for node '{}' was already set to '",
                               name.text(), node_.name);
  append_ruby_to_s(record.message, before);
  record.message += "'. It could not be set to '";
  append_ruby_to_s(record.message, value);
  record.message += "'";
  log->log(record);
}

void Compiler::create_settings_class() {
  if (const std::string& wrong = environment_.conf().wrong_boolean; !wrong.empty()) {
    throw EvaluationError(make_diagnostic(Issue::kInvalidSetting, Range{}, {wrong}),
                          ErrorKind::kError);
  }
  const Name name = "settings"_name;
  Definition& definition = definitions_.add_internal_class(name);
  Resource& resource = new_resource("class"_name, "Settings", evaluator_.top_scope());
  initialize(resource, {});
  catalog_.add(resource);
  evaluate_code(resource);
  resource.is_evaluated = true;
  if (options_.settings_variables != nullptr) {
    definition.scope->share_variables(*options_.settings_variables);
  }
}

// --- main, node, classes of the classifier ------------------------------------------------------

void Compiler::evaluate_main() {
  Scope& top = evaluator_.top_scope();
  top.catalog->source = &definitions_.main();
  Resource& resource = new_resource("class"_name, "main", top);
  resource.is_main = true;
  initialize(resource, {});
  main_ = &resource;
  top.catalog->resource = &resource;
  top.resource_text = "Class[main]";
  add_resource(top, resource);
  evaluate_resource(resource);
}

void Compiler::evaluate_node() {
  if (!definitions_.has_nodes()) return;
  Definition* definition = definitions_.find_node(node_.name);
  if (definition == nullptr) definition = definitions_.find_node("default");
  if (definition == nullptr) {
    fail(Issue::kNoNodeDefinition, {std::string(node_.name)});
  }
  Resource& resource = ensure_declared(evaluator_.top_scope(), *definition, {}, false);
  evaluate_resource(resource);
  node_scope_ = definition->scope;
}

void Compiler::evaluate_node_classes() {
  Scope& scope = node_scope_ != nullptr ? *node_scope_ : evaluator_.top_scope();
  const auto find = [&](std::string_view name) -> Definition& {
    Definition* definition = definitions_.find_class(Name(without_leading_colons(name)));
    if (definition == nullptr) {
      fail_unknown(Issue::kUnknownClass, {std::string(name), std::string(node_.name)}, name,
                   definitions_.class_names());
    }
    return *definition;
  };
  const auto has_parameters = [&](const NodeClass& node_class) {
    return node_.classes_have_parameters && node_class.parameters.is_hash() &&
           node_class.parameters.as_hash().size > 0;
  };
  std::vector<std::pair<Definition*, const NodeClass*>> with;
  for (const NodeClass& node_class : node_.classes) {
    if (has_parameters(node_class)) with.emplace_back(&find(node_class.name), &node_class);
  }
  for (const auto& [definition, node_class] : with) {
    record_class(*definition, Provenance::Request::Kind::kClassifier, {}, scope);
    std::vector<ResourceParameter> parameters;
    for (const HashEntry& entry : node_class->parameters.as_hash()) {
      parameters.push_back({Name(entry.key.as_string()), entry.value, definition, Place{}, false});
    }
    ensure_declared(scope, *definition, parameters, true);
  }
  std::vector<Definition*> without;
  for (const NodeClass& node_class : node_.classes) {
    if (has_parameters(node_class)) continue;
    without.push_back(&find(node_class.name));
    record_class(*without.back(), Provenance::Request::Kind::kClassifier, {}, scope);
  }
  declare_classes(scope, without, false);
}

// --- lazy things --------------------------------------------------------------------------------

void Compiler::evaluate_generators() {
  for (int round = 0;; ++round) {
    if (round > kMostGeneratorRounds) {
      fail(Issue::kEndlessEvaluation, {});
    }
    const bool collected = evaluate_collectors();
    const bool evaluated = evaluate_definitions();
    if (!collected && !evaluated) return;
  }
}

bool Compiler::evaluate_collectors() {
  bool found_something = false;
  // Those that are added meanwhile wait for the next round.
  const size_t count = collectors_.size();
  for (size_t i = 0; i < count; ++i) {
    if (!collectors_[i]->is_done && evaluate_collector(*collectors_[i])) found_something = true;
  }
  return found_something;
}

bool Compiler::evaluate_definitions() {
  std::vector<Resource*> ready, waiting;
  for (Resource* resource : unevaluated_) {
    if (resource->is_evaluated) continue;
    (resource->is_virtual ? waiting : ready).push_back(resource);
  }
  unevaluated_.clear();
  for (size_t i = 0; i < ready.size(); ++i) {
    if (ready[i]->is_evaluated) continue;
    try {
      evaluate_resource(*ready[i]);
    } catch (const EvaluationError& error) {
      fail_evaluating(*ready[i], error);
    }
  }
  // What waited was declared before what has just been declared.
  unevaluated_.insert(unevaluated_.begin(), waiting.begin(), waiting.end());
  return !ready.empty();
}

void Compiler::fail_evaluating(const Resource& resource, const EvaluationError& error) {
  if (error.kind() == ErrorKind::kSyntax) throw error;
  const bool has_place = error.diagnostic().primary.file != nullptr;
  const bool is_evaluation = error.kind() == ErrorKind::kEvaluation && has_place;
  Range range = resource.place.range();
  range.is_whole_line = true;
  throw EvaluationError(
      make_diagnostic(Issue::kResourceStatementError, std::move(range),
                      {is_evaluation ? "Evaluation Error: " : ""}, error.diagnostic()),
      ErrorKind::kEvaluation);
}

// --- the end ------------------------------------------------------------------------------------

void Compiler::fail_on_unevaluated() {
  std::vector<std::string> names;
  for (const Override& change : overrides_) {
    names.push_back(
        fmt::format("{}[{}]", capitalized_segments(change.type_key.text()), change.title));
  }
  if (!names.empty()) {
    fail(Issue::kUnknownOverridden, {fmt::format("{}", fmt::join(names, ", "))});
  }
  for (const auto& collector : collectors_) {
    for (const Collector::Reference& reference : collector->wanted) {
      names.push_back(reference.text);
    }
  }
  if (!names.empty()) {
    fail(Issue::kUnknownRealized, {fmt::format("{}", fmt::join(names, ", "))});
  }
}

}  // namespace bunraku
