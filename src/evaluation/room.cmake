# The values of expressions: scopes, operators, calls, closures, control flow.
room(evaluation
  USES base syntax validation values types conversion
  FACE comparison.h deferred.h evaluation.h evaluator.h fact_reads.h function.h host.h interrupt.h
       legacy_facts.h missing_key.h object_code.h object_holders.h overload.h scope.h
       suggestions.h template_memory.h)
