// The attributes of resources: set, given by defaults, and the tags that they bring.
#pragma once

#include <span>
#include <vector>

#include "catalog/compiler/compiler_state.h"

namespace bunraku {

class Attributes {
 public:
  explicit Attributes(CompilerState& state) : state_(state) {}

  // Sets the attribute, in place of one that is there.
  void set_parameter(Resource& resource, const ResourceParameter& parameter,
                     Origin origin = Origin::kDeclaration);
  // `place` is for the record alone.
  void set_value(Resource& resource, Name name, Value value, Origin origin,
                 const Place& place = {});
  // As set_parameter(), without a record.
  void store_parameter(Resource& resource, const ResourceParameter& parameter);
  std::vector<ResourceParameter> parameters_from(std::span<const EvaluatedParameter> parameters,
                                                 const Definition* source);

  // `File { mode => ... }`. Throws EvaluationError when the scope has such a default already.
  void add_defaults(Scope& scope, Name type_name, std::span<const EvaluatedParameter> parameters);
  // Sets what the resource's scope has as defaults and the resource has not.
  void add_defaults_to(Resource& resource);
  // The defaults of the scope and those around it.
  void collect_defaults(const Scope& scope, Name type_key, std::vector<ResourceParameter>& found);
  // Whether the value is one that defaults of the scope, or of one around it, give.
  bool is_default(const Scope& scope, Name type_key, Name name, Value value);

  // Whether a resource has been given an alias after it came into the catalog.
  bool has_late_alias() const { return has_late_alias_; }

 private:
  void add_parameter_tags(Resource& resource, Value value);
  void add_listed_tags(Resource& resource, Value value);

  CompilerState& state_;
  bool has_late_alias_ = false;
};

}  // namespace bunraku
