// The types of deferred calls during compilation.
#pragma once

#include "evaluation/evaluator.h"

namespace bunraku {

// Looks up the functions of Deferred values. Warns of functions without a return type, and fails
// where no signature accepts the arguments. Returns nothing for a variable or a missing function,
// because the agent may have it.
class DeferredFunctions final : public DeferredTypes {
 public:
  DeferredFunctions(Evaluator& evaluator, const Place& place)
      : evaluator_(evaluator), place_(place) {}

  const Type* return_type(const ObjectInstance& call) override;

 private:
  void warn_of_unknown_type(std::string_view function) const;

  Evaluator& evaluator_;
  Place place_;
};

}  // namespace bunraku
