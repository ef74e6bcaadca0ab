// The collectors of a compilation: <| |>, <<| |>> and realize().
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalog/compiler/collector.h"
#include "catalog/compiler/declarations.h"
#include "catalog/compiler/overrides.h"

namespace bunraku {

struct ExportedResource;

class Collectors {
 public:
  Collectors(CompilerState& state, KnownTypes& types, Attributes& attributes,
             Declarations& declarations, Overrides& overrides)
      : state_(state),
        known_types_(types),
        attributes_(attributes),
        declarations_(declarations),
        overrides_(overrides) {}

  // Both throw EvaluationError. The returned value represents the collector in an arrow.
  Value collect(Scope& scope, const CollectExpression& expression, Name type_name,
                std::span<const EvaluatedParameter> overrides, const Place& place);
  void realize(Scope& scope, std::span<const Value> references, const Place& place);

  // Evaluates the collectors that are not done. Returns false when none found anything new.
  bool evaluate_collectors();
  const std::vector<std::unique_ptr<Collector>>& all() const { return all_; }

 private:
  const Query* make_query(const Expression& expression, Scope& scope);
  bool evaluate_collector(Collector& collector);
  void find_matches(Collector& collector, std::vector<Resource*>& found);
  void find_exported(Collector& collector, std::vector<Resource*>& found);
  Resource* import_exported(const Collector& collector, const ExportedResource& exported);

  CompilerState& state_;
  KnownTypes& known_types_;
  Attributes& attributes_;
  Declarations& declarations_;
  Overrides& overrides_;
  std::vector<std::unique_ptr<Collector>> all_;
  // The resources that exported collectors imported: node, type and title.
  boost::unordered_flat_set<std::string> imported_;
};

// Returns the collector that a value represents; null for other values.
Collector* collector_of(Value value);

}  // namespace bunraku
