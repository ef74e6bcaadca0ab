// Overrides: attributes that code sets on a resource declared elsewhere.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "catalog/compiler/attributes.h"
#include "catalog/compiler/known_types.h"

namespace bunraku {

struct Override {
  Name type_key;
  std::string_view title;
  const Definition* source;
  Place place;
  std::vector<ResourceParameter> parameters;
  Origin origin = Origin::kOverride;
};

class Overrides {
 public:
  Overrides(CompilerState& state, KnownTypes& types, Attributes& attributes)
      : state_(state), known_types_(types), attributes_(attributes) {}

  // `File['/a'] { ... }`. Throws EvaluationError.
  void override_resource(Scope& scope, const ResourceType& reference,
                         std::span<const EvaluatedParameter> parameters, const Place& place);
  // Applies the override, or keeps it until the resource exists. Throws EvaluationError.
  void add_override(Override change);

  // --- after the last resource was added ---
  // --- when all resources are there ---
  void begin_late();
  // Applies the overrides that waited for the resource. Throws EvaluationError.
  void apply_late(Resource& resource);
  void end_late();
  // Overrides whose resource was never declared.
  const std::vector<Override>& waiting() const { return waiting_; }

 private:
  void apply_override(Resource& resource, const Override& change);
  void override_parameter(Resource& resource, ResourceParameter parameter, Origin origin);

  CompilerState& state_;
  KnownTypes& known_types_;
  Attributes& attributes_;
  std::vector<Override> waiting_;
  // Between begin_late() and end_late(): the indices of waiting overrides, by type and title.
  boost::unordered_flat_map<Name, std::map<std::string_view, std::vector<size_t>>, std::hash<Name>>
      late_;
  std::vector<bool> is_applied_;
};

}  // namespace bunraku
