// The evaluation of the code of classes, defines and nodes with the parameters of a resource.
#pragma once

#include <span>
#include <vector>

#include "catalog/compiler/attributes.h"

namespace bunraku {

class Bodies {
 public:
  Bodies(CompilerState& state, Attributes& attributes) : state_(state), attributes_(attributes) {}

  // Evaluates the code of the resource's class, define or node, once, after that of its parents.
  // Throws EvaluationError.
  void evaluate_resource(Resource& resource);
  void evaluate_code(Resource& resource);
  // Completes the evaluation with the parts that were left open.
  void finish_evaluation(Resource& resource);
  // Throws EvaluationError when the values do not match the definition's parameters.
  void check_parameters(Resource& resource, const Definition& definition,
                        std::span<const VariableTable::Binding> values);

 private:
  Scope& scope_for(Resource& resource);
  void set_parameters(Resource& resource, Scope& scope);
  // The parameter values: given, looked up or default; each is visible to the defaults after it.
  std::vector<VariableTable::Binding> parameter_values(Resource& resource, Scope& scope);
  Value default_value(const Definition& definition, ParameterScope& parameters,
                      const Parameter& declared);
  void look_up_parameters(Resource& resource, Scope& scope);
  void add_to_stage(Resource& resource);

  CompilerState& state_;
  Attributes& attributes_;
};

}  // namespace bunraku
