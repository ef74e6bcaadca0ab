// The attributes of resources: setting, defaults, and the tags that result.
#pragma once

#include <span>
#include <vector>

#include "catalog/compiler/compiler_state.h"

namespace bunraku {

class Attributes {
 public:
  explicit Attributes(CompilerState& state) : state_(state) {}

  // Sets the attribute, replacing an earlier value.
  void set_parameter(Resource& resource, const ResourceParameter& parameter,
                     Origin origin = Origin::kDeclaration);
  // `place` is only for the record.
  void set_value(Resource& resource, Name name, Value value, Origin origin,
                 const Place& place = {});
  // Like set_parameter(), without a record.
  void store_parameter(Resource& resource, const ResourceParameter& parameter);
  ResourceParameterList parameters_from(std::span<const EvaluatedParameter> parameters,
                                        const Definition* source);

  // `File { mode => ... }`. Throws EvaluationError when the scope has such a default already.
  void add_defaults(Scope& scope, Name type_name, std::span<const EvaluatedParameter> parameters);
  // Sets the attributes that the scope has defaults for and the resource lacks.
  void add_defaults_to(Resource& resource);
  // Collects the defaults of the scope and of the surrounding ones.
  void collect_defaults(const Scope& scope, Name type_key, std::vector<ResourceParameter>& found);
  // Returns whether the value is a default of the scope or of a surrounding one.
  bool is_default(const Scope& scope, Name type_key, Name name, Value value);

  // Returns whether a resource got an alias after it was added to the catalog.
  bool has_late_alias() const { return has_late_alias_; }

 private:
  void add_parameter_tags(Resource& resource, Value value);
  void add_listed_tags(Resource& resource, Value value);

  CompilerState& state_;
  bool has_late_alias_ = false;
};

}  // namespace bunraku
