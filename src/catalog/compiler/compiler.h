// The compiler: evaluates an environment's code for one node into a catalog. The order of its steps
// is that of the reference, because it shows in the result.
//
//  The Compiler has the phases; the steps are in collaborators over one CompilerState, each of
//  which uses those before it: KnownTypes, Attributes, Bodies, Declarations, Overrides, Collectors,
//  Relationships and Introspection. Code reaches them through CatalogHost.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "catalog/compiler/collectors.h"
#include "catalog/compiler/compiler_state.h"
#include "catalog/compiler/introspection.h"
#include "catalog/compiler/relationships.h"

namespace bunraku {

class Compiler final : public CatalogHost {
 public:
  // All arguments must outlive the compiler; `log` may be null.
  Compiler(const Environment& environment, const TargetNode& node, Arena& arena,
           const CompilerOptions& options, LogSink* log);

  // To set the data (host().data) before compile().
  Evaluator& evaluator() { return state_.evaluator; }
  const Scope& top_scope() const { return state_.evaluator.top_scope(); }
  Loader& loader() { return state_.loader; }
  Catalog& catalog() { return state_.catalog; }
  const Catalog& catalog() const { return state_.catalog; }
  // The resources of the node's definition and of the code outside any definition; null before
  // compile() and when there is none.
  const Resource* node_resource() const { return state_.node_resource(); }
  const Resource* main_resource() const { return state_.main; }
  RubyTypes& ruby_types() { return known_types_.ruby_types(); }
  // Returns the array of a relationship parameter with the items that arrows appended to it.
  Value extended(Value value) const { return relationships_.extended(value); }
  // The relationships of all arrows, with the resources that collectors found; available after
  // finish().
  std::vector<ArrowRelationship> arrow_relationships() {
    return relationships_.arrow_relationships();
  }
  const TargetNode& node() const { return state_.node; }
  const Environment& environment() const { return state_.environment; }

  // Records the origins of everything; call it before compile(). `data` answers the look-ups. Both
  // must outlive the compiler.
  void record(Provenance& provenance, RecordingData& data);

  // Throws EvaluationError.
  void compile();
  // The first half: the evaluation up to lazy parts. finish() is the second half; more code may be
  // evaluated in between.
  void begin();
  void finish();
  // Evaluates more code in the top scope, after begin(), and adds its definitions.
  Value evaluate(const ProgramPointer& program);

  // --- CatalogHost ---
  Value create_resources(Scope& scope, const ResourceRequest& request) override {
    return declarations_.create_resources(scope, request);
  }
  void add_defaults(Scope& scope, Name type_name,
                    std::span<const EvaluatedParameter> parameters) override {
    attributes_.add_defaults(scope, type_name, parameters);
  }
  void override_resource(Scope& scope, const ResourceType& reference,
                         std::span<const EvaluatedParameter> parameters,
                         const Place& place) override {
    overrides_.override_resource(scope, reference, parameters, place);
  }
  Value collect(Scope& scope, const CollectExpression& expression, Name type_name,
                std::span<const EvaluatedParameter> overrides, const Place& place) override {
    return collectors_.collect(scope, expression, type_name, overrides, place);
  }
  void relate(Value source, Value target, ArrowKind kind, const Place& place) override {
    relationships_.relate(source, target, kind, place);
  }
  Value parameter_of(const ResourceType& reference, std::string_view name,
                     const Place& place) override {
    return introspection_.parameter_of(reference, name, place);
  }
  bool is_resource_type(Name lower_case_name, const Place& place) override {
    return known_types_.is_resource_type(lower_case_name, place);
  }
  Scope* class_scope(Name class_name) override;
  bool is_known_class(Name class_name) override;
  Value include_classes(Scope& scope, ClassCall kind, std::span<const Name> names,
                        const Place& place) override {
    return declarations_.include_classes(scope, kind, names, place);
  }
  void realize(Scope& scope, std::span<const Value> references, const Place& place) override {
    collectors_.realize(scope, references, place);
  }
  bool is_declared(const Type* reference) override { return introspection_.is_declared(reference); }
  void add_tags(Scope& scope, std::span<const std::string_view> tags) override {
    introspection_.add_tags(scope, tags);
  }
  bool has_tags(Scope& scope, std::span<const std::string_view> tags) override {
    return introspection_.has_tags(scope, tags);
  }
  std::string_view environment_name() override { return state_.environment.name(); }
  std::string_view node_name() override { return state_.node.name; }
  Value resource_data(const Type* reference) override {
    return introspection_.resource_data(reference);
  }
  Value scope_resource_data(Scope& scope) override {
    return introspection_.scope_resource_data(scope);
  }
  void update_values(Scope& scope, ChangedObjects& objects) override {
    introspection_.update_values(scope, objects);
  }
  void set_resource_parameter(Scope& scope, const Type* reference, Name name, Value value,
                              const Place& place) override {
    introspection_.set_resource_parameter(scope, reference, name, value, place);
  }
  void remove_resource(const Type* reference) override {
    Resource* found = introspection_.find_referenced(reference);
    if (found != nullptr) declarations_.remove_resource(*found);
  }
  Value resource_references() override { return introspection_.resource_references(); }
  Value all_resource_data() override { return introspection_.all_resource_data(); }
  Value class_names() override { return introspection_.class_names(); }
  Value defaults_data(const Scope& scope, Name type_name) override {
    return introspection_.defaults_data(scope, type_name);
  }
  Value catalog_tags() override { return introspection_.catalog_tags(); }
  Value type_data(Name type_name) override { return introspection_.type_data(type_name); }

 private:
  void set_node_variables();
  // Warns when a classifier's parameter has the name of a fact or of a server variable.
  void warn_of_taken_parameter(Name name, Value before, Value value);
  void create_settings_class();
  void evaluate_main();
  void evaluate_node();
  void evaluate_node_classes();
  void evaluate_generators();
  void finish_resources();
  void finish(Resource& resource);
  void validate(Resource& resource);
  void propagate_metaparameters();
  void fail_on_unevaluated();

  CompilerState state_;
  KnownTypes known_types_{state_};
  Attributes attributes_{state_};
  Bodies bodies_{state_, attributes_};
  Declarations declarations_{state_, known_types_, attributes_, bodies_};
  Overrides overrides_{state_, known_types_, attributes_};
  Collectors collectors_{state_, known_types_, attributes_, declarations_, overrides_};
  Relationships relationships_{state_, attributes_};
  Introspection introspection_{state_, attributes_};
};

}  // namespace bunraku
