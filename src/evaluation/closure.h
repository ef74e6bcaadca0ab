// Lambdas and functions written in the language. Internal to this room.
#pragma once

#include "evaluation/evaluation.h"

namespace bunraku {

// Returns derived data of a lambda's or function's parameters, which is computed once.
const ClosureInfo& closure_info(Evaluator& evaluator, const Program* program,
                                const Expression& owner, std::string_view name,
                                ParameterList parameters, const Expression* body,
                                const Expression* return_type);

// The lambda of a call.
class LambdaBlock final : public Block {
 public:
  LambdaBlock(Evaluator& evaluator, Scope& scope, const LambdaExpression& lambda);

  const Signature& signature() const override;
  Value call(std::span<const Value> arguments) const override;
  size_t parameter_count() const override { return closure_.maximum; }
  // The copy sees the scope as it is then: variables of surrounding lambdas and functions are gone.
  const Block* lasting(Arena& arena) const override { return arena.make<LambdaBlock>(*this); }

 private:
  Evaluator& evaluator_;
  Scope& scope_;
  const ClosureInfo& closure_;
  mutable const Signature* signature_ = nullptr;
};

}  // namespace bunraku
