#include "evaluation/object_holders.h"

#include "evaluation/evaluator.h"

namespace bunraku {

void update_holders(Evaluator& evaluator, Scope& scope, std::span<const ObjectChange> changes) {
  if (changes.empty()) return;
  ChangedObjects objects(evaluator.arena(), changes);
  scope.update_variables(objects);
  Scope& global = scope.global();
  if (&global != &scope) global.update_variables(objects);
  Scope& top = evaluator.top_scope();
  if (&top != &global) top.update_variables(objects);
  if (CatalogHost* catalog = evaluator.host().catalog) catalog->update_values(scope, objects);
}

}  // namespace bunraku
