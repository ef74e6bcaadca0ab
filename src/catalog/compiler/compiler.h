// The compiler: evaluates an environment's code for one node into a catalog. The order of what it
// does is the reference's (inventory 4.1), because it shows in the result.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <string>
#include <vector>

#include "catalog/compiler/catalog.h"
#include "catalog/compiler/collector.h"
#include "catalog/compiler/definitions.h"
#include "catalog/compiler/provenance.h"
#include "catalog/compiler/ruby_types.h"
#include "site/environment/environment.h"
#include "site/environment/loader.h"
#include "site/node/node.h"
#include "evaluation/evaluator.h"

namespace bunraku {

struct ExportedResource;

// A relationship that an arrow has made, with both ends as catalogs show them.
struct ArrowRelationship {
  std::string source;
  std::string target;
  ArrowKind kind;
};

struct CompilerOptions {
  EvaluationSettings evaluation;
  // $settings::all_local: the settings by name, a hash; undef when there are none.
  Value settings;
  // The variables of class Settings: $settings::NAME, $settings::all_local, and those that each
  // class has. Null when there are none. Must outlive the compiler.
  const VariableTable* settings_variables = nullptr;
  // Variables set in the top scope before anything is evaluated; a hash or undef.
  Value variables;
  // The initial manifests define functions, types and classes; neither they nor what is said of the
  // node is evaluated.
  bool only_defines = false;
};

// What a relationship parameter says, of two resources by their numbers in the catalog.
struct Dependency {
  uint32_t before;
  uint32_t after;
};

class Compiler final : public CatalogHost {
 public:
  // All must outlive the compiler; `log` may be null.
  Compiler(const Environment& environment, const TargetNode& node, Arena& arena,
           const CompilerOptions& options, LogSink* log);
  ~Compiler() override;

  // To give it data (host().data) before compile().
  Evaluator& evaluator() { return evaluator_; }
  const Scope& top_scope() const { return evaluator_.top_scope(); }
  Loader& loader() { return loader_; }
  Catalog& catalog() { return catalog_; }
  const Catalog& catalog() const { return catalog_; }
  // Of the node's definition and of what stands outside of all others; null before compile() and
  // when there is none.
  const Resource* node_resource() const;
  const Resource* main_resource() const { return main_; }
  RubyTypes& ruby_types() { return ruby_types_; }
  // An array of a relationship parameter with what arrows have appended to it.
  Value extended(Value value) const;
  // Those of arrows, with what collectors have found; to be asked after finish().
  std::vector<ArrowRelationship> arrow_relationships();
  const TargetNode& node() const { return node_; }
  const Environment& environment() const { return environment_; }

  // To be told where everything comes from, before compile(). `data` answers the look-ups. Both
  // must outlive the compiler.
  void record(Provenance& provenance, RecordingData& data);

  // Throws EvaluationError.
  void compile();
  // The first half: all that is there before lazy things are evaluated. With finish(), for those
  // who evaluate more code in between.
  void begin();
  void finish();
  // Evaluates more code in the top scope, after begin(); what it defines is known from then on.
  Value evaluate(const ProgramPointer& program);

  // --- CatalogHost ---
  Value create_resources(Scope& scope, const ResourceRequest& request) override;
  void add_defaults(Scope& scope, Name type_name, std::span<const EvaluatedParameter> parameters,
                    const Place& place) override;
  void override_resource(Scope& scope, const ResourceType& reference,
                         std::span<const EvaluatedParameter> parameters,
                         const Place& place) override;
  Value collect(Scope& scope, const CollectExpression& expression, Name type_name,
                std::span<const EvaluatedParameter> overrides, const Place& place) override;
  void relate(Scope& scope, Value source, Value target, ArrowKind kind,
              const Place& place) override;
  Value parameter_of(Scope& scope, const ResourceType& reference, std::string_view name,
                     const Place& place) override;
  bool is_resource_type(Name lower_case_name, const Place& place) override;
  Scope* class_scope(Name class_name) override;
  bool is_known_class(Name class_name, const Place& place) override;
  Value include_classes(Scope& scope, ClassCall kind, std::span<const Name> names,
                        const Place& place) override;
  void realize(Scope& scope, std::span<const Value> references, const Place& place) override;
  bool is_declared(const Type* reference) override;
  void add_tags(Scope& scope, std::span<const std::string_view> tags) override;
  bool has_tags(Scope& scope, std::span<const std::string_view> tags) override;
  std::string_view environment_name() override { return environment_.name(); }
  Value resource_data(const Type* reference) override;
  Value scope_resource_data(Scope& scope) override;
  void replace_value(Scope& scope, Name name, Value before, Value after) override;
  void set_resource_parameter(Scope& scope, const Type* reference, Name name, Value value,
                              const Place& place) override;
  Resource* find_referenced(const Type* reference);
  Value resource_references() override;
  Value all_resource_data() override;
  Value class_names() override;
  Value defaults_data(const Scope& scope, Name type_name) override;
  Value catalog_tags() override;
  Value type_data(Name type_name) override;

 private:
  struct Relationship {
    RelationshipOperand source;
    RelationshipOperand target;
    ArrowKind kind;
    Place place;
  };
  // An override of a resource that does not exist yet, or the one in hand.
  struct Override {
    Name type_key;
    std::string_view title;
    const Definition* source;
    Place place;
    std::vector<ResourceParameter> parameters;
    Origin origin = Origin::kOverride;
  };

  // --- phases ---
  void set_node_variables();
  // A fact, or one of the server's, has the name of what a classifier gave.
  void warn_of_taken_parameter(Name name, Value before, Value value);
  void create_settings_class();
  void evaluate_main();
  void evaluate_node();
  void evaluate_node_classes();
  void evaluate_generators();
  bool evaluate_collectors();
  bool evaluate_definitions();
  void evaluate_relationships();
  void finish_resources();
  void propagate_metaparameters();
  void fail_on_unevaluated();
  // Fails when a relationship parameter names what is not there; tells what they say.
  std::vector<Dependency> check_relationship_targets();
  void warn_of_cycles(std::span<const Dependency> dependencies);

  // --- resources ---
  // "Apache::Vhost" of "apache::vhost"
  Name shown_type(Name type_key);
  [[noreturn]] static void fail_untitled(Name type_key, const NativeType* native,
                                         const Definition* define);
  ResourceName native_resource_name(Name type_key, std::string_view title);
  Resource& new_resource(Name type_key, std::string_view title, Scope& scope);
  // Finds out what the type is, sets parameters, tags and defaults.
  void initialize(Resource& resource, std::span<const ResourceParameter> parameters,
                  Origin origin = Origin::kDeclaration);
  void set_parameter(Resource& resource, const ResourceParameter& parameter,
                     Origin origin = Origin::kDeclaration);
  // `place` is for the record alone.
  void set_value(Resource& resource, Name name, Value value, Origin origin,
                 const Place& place = {});
  void store_parameter(Resource& resource, const ResourceParameter& parameter);
  void record_change(const Resource& resource, const ResourceParameter& parameter, Origin origin,
                     const Resource* container = nullptr);
  void record_class(const Definition& definition, Provenance::Request::Kind kind,
                    const Place& place, const Scope& scope);
  void record_realization(const Resource& resource, const Collector& collector);
  void add_parameter_tags(Resource& resource, Value value);
  void add_listed_tags(Resource& resource, Value value);
  void add_defaults_to(Resource& resource);
  void collect_defaults(const Scope& scope, Name type_key, std::vector<ResourceParameter>& found);
  bool is_default(const Scope& scope, Name type_key, Name name, Value value);
  void add_resource(Scope& scope, Resource& resource);
  void prepare_declaration(Scope& scope, Resource& resource);
  Resource& ensure_class(Scope& scope, Definition& definition);
  Resource& ensure_declared(Scope& scope, Definition& definition,
                            std::span<const ResourceParameter> parameters, bool with_parameters);
  std::vector<Resource*> declare_classes(Scope& scope, std::span<Definition* const> classes,
                                         bool evaluate_now);
  std::vector<ResourceParameter> parameters_from(std::span<const EvaluatedParameter> parameters,
                                                 const Definition* source);
  NativeType const* find_checked_native_type(Name type_key, const Place& place);
  Value data_of(const Resource& resource);

  // --- evaluating classes, defines and nodes ---
  void evaluate_resource(Resource& resource);
  void evaluate_code(Resource& resource);
  Scope& scope_for(Resource& resource);
  void set_parameters(Resource& resource, Scope& scope);
  // Given, looked-up and default values, each seen by the defaults after it.
  std::vector<VariableTable::Binding> parameter_values(Resource& resource, Scope& scope);
  void look_up_parameters(Resource& resource, Scope& scope);
  void check_parameters(Resource& resource, const Definition& definition,
                        std::span<const VariableTable::Binding> values);
  void add_to_stage(Resource& resource);
  void finish_evaluation(Resource& resource);
  void finish(Resource& resource);
  void validate(Resource& resource);

  // --- overrides and collectors ---
  void apply_override(Resource& resource, const Override& change);
  void override_parameter(Resource& resource, ResourceParameter parameter, Origin origin);
  void add_override(Override change);
  const Query* make_query(const Expression& expression, Scope& scope);
  bool evaluate_collector(Collector& collector);
  void find_matches(Collector& collector, std::vector<Resource*>& found);
  void find_exported(Collector& collector, std::vector<Resource*>& found);
  Resource* import_exported(const Collector& collector, const ExportedResource& exported);

  // --- relationships ---
  void add_operands(Value value, RelationshipOperands& operands, const Place& place);
  // Of all arrows, from what to what: visit(source, target, kind).
  template <typename Visitor>
  void each_relationship(Visitor visit);
  std::vector<RelationshipOperand> targets_of(const RelationshipOperand& operand);
  std::vector<RelationshipOperand> sources_of(const RelationshipOperand& operand, int depth);
  void add_relationship(const RelationshipOperand& source, const RelationshipOperand& target,
                        const Relationship& arrow);
  const Resource& relationship_target(const ResourceParameter& parameter, Value value,
                                      bool was_sensitive);
  Resource* find(const RelationshipOperand& operand) const;
  // The array (or what is to become one) with the item at its end.
  Value appended(Value current, Value item);
  void append_to_relationship(Resource& resource, Name name, std::string_view reference,
                              const Place& place);

  CatalogScope& catalog_scope(Scope& scope);
  Value reference_to(const Resource& resource);
  [[noreturn]] void fail_unknown_resource_type(Name name, const Place& place);
  [[noreturn]] void fail_evaluating(const Resource& resource, const EvaluationError& error);

  Arena& arena_;
  const Environment& environment_;
  const TargetNode& node_;
  CompilerOptions options_;
  Loader loader_;
  Evaluator evaluator_;
  Definitions definitions_;
  Catalog catalog_;

  std::vector<Resource*> resources_;  // without the stage and the settings class
  std::vector<Resource*> unevaluated_;
  boost::unordered_flat_map<Name, std::vector<Resource*>, std::hash<Name>> by_type_;
  std::vector<std::unique_ptr<Collector>> collectors_;
  // What exported collectors have brought: node, type and title.
  boost::unordered_flat_set<std::string> imported_;
  std::vector<Relationship> relationships_;
  std::vector<Override> overrides_;  // waiting for their resource
  Scope* node_scope_ = nullptr;
  Provenance* provenance_ = nullptr;
  RecordingData* recording_data_ = nullptr;
  Resource* main_ = nullptr;
  bool has_late_alias_ = false;  // one that came after its resource was in the catalog
  // Arrays of relationships that were appended to: all who hold the old one see the new one.
  boost::unordered_flat_map<const Value*, Value> extended_arrays_;
  // Those that appending made, with the room that is left in them.
  struct GrownArray {
    Value* items;
    size_t capacity;
  };
  boost::unordered_flat_map<const Value*, GrownArray> grown_arrays_;
  boost::unordered_flat_map<Name, const NativeType*, std::hash<Name>> native_types_;
  boost::unordered_flat_map<Name, Name, std::hash<Name>> shown_types_;
  RubyTypes ruby_types_;
};

// Of a resource or class?
bool is_reference(const Type& type);
// A reference as catalogs show it ("Class[Apache::Mod]"); other values as interpolated text.
std::string reference_text(Value value);
// The same, but hashes and patterns as Ruby writes them.
std::string ruby_reference_text(Value value);

struct WrittenReference {
  std::string_view type, title;  // no type: it is no reference
};
// Of "File[/etc/motd]".
WrittenReference parse_reference(std::string_view text);

}  // namespace bunraku
