// The declaration of resources by code, and of classes on request.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "catalog/compiler/attributes.h"
#include "catalog/compiler/bodies.h"
#include "catalog/compiler/known_types.h"

namespace bunraku {

class Declarations {
 public:
  Declarations(CompilerState& state, KnownTypes& types, Attributes& attributes, Bodies& bodies)
      : state_(state), known_types_(types), attributes_(attributes), bodies_(bodies) {}

  // All resources that were added, without the stage and the settings class.
  const std::vector<Resource*>& resources() const { return resources_; }
  const std::vector<Resource*>& of_type(Name type_key) { return by_type_[type_key]; }

  // --- what code declares; throw EvaluationError ---
  Value create_resources(Scope& scope, const ResourceRequest& request);
  Value include_classes(Scope& scope, CatalogHost::ClassCall kind, std::span<const Name> names,
                        const Place& place);

  // --- steps of a declaration ---
  Resource& new_resource(Name type_key, std::string_view title, Scope& scope);
  // Determines the resource's type, and sets parameters, tags and defaults.
  void initialize(Resource& resource, std::span<const ResourceParameter> parameters,
                  Origin origin = Origin::kDeclaration);
  void prepare_declaration(Scope& scope, Resource& resource);
  void add_resource(Scope& scope, Resource& resource);
  // The resource is as if it had never been declared, except for what its evaluation declared.
  void remove_resource(Resource& resource);
  Resource& ensure_declared(Scope& scope, Definition& definition,
                            std::span<const ResourceParameter> parameters, bool with_parameters);
  std::vector<Resource*> declare_classes(Scope& scope, std::span<Definition* const> classes,
                                         bool evaluate_now);

  // Evaluates waiting defines and classes. Returns false when there were none.
  bool evaluate_definitions();

 private:
  Resource& ensure_class(Scope& scope, Definition& definition);
  [[noreturn]] void fail_evaluating(const Resource& resource, const EvaluationError& error);

  CompilerState& state_;
  KnownTypes& known_types_;
  Attributes& attributes_;
  Bodies& bodies_;
  std::vector<Resource*> resources_;
  std::vector<Resource*> unevaluated_;
  boost::unordered_flat_map<Name, std::vector<Resource*>, std::hash<Name>> by_type_;
};

}  // namespace bunraku
