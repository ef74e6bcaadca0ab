// Queries and changes of the catalog by code, except declarations: references to parameters, tags,
// and the view of modules' Ruby code.
#pragma once

#include <span>
#include <string_view>

#include "catalog/compiler/attributes.h"

namespace bunraku {

class Introspection {
 public:
  Introspection(CompilerState& state, Attributes& attributes)
      : state_(state), attributes_(attributes) {}

  bool is_declared(const Type* reference);
  // File['/a']['mode']. Throws EvaluationError.
  Value parameter_of(const ResourceType& reference, std::string_view name, const Place& place);
  void add_tags(Scope& scope, std::span<const std::string_view> tags);
  bool has_tags(Scope& scope, std::span<const std::string_view> tags);

  // --- for Ruby code; undef where there is nothing ---
  // Returns null when there is no such resource.
  Resource* find_referenced(const Type* reference);
  Value resource_data(const Type* reference);
  Value scope_resource_data(Scope& scope);
  void update_values(Scope& scope, ChangedObjects& objects);
  void set_resource_parameter(Scope& scope, const Type* reference, Name name, Value value,
                              const Place& place);
  Value resource_references();
  Value all_resource_data();
  Value class_names();
  Value defaults_data(const Scope& scope, Name type_name);
  Value catalog_tags();
  Value type_data(Name type_name);

 private:
  Value data_of(const Resource& resource);
  Value place_of(const Place& place);

  CompilerState& state_;
  Attributes& attributes_;
};

}  // namespace bunraku
