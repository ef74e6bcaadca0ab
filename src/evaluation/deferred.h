// What is known while compiling of a call that is put off until the agent has the catalog.
#pragma once

#include "evaluation/evaluator.h"

namespace bunraku {

// Looks up the functions that Deferred values name. Warns of those that do not say what they
// return, and fails where no signature takes the arguments. Nothing is known of a variable or of a
// function that is not there: only the agent may have it.
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
