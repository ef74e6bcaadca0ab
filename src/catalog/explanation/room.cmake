# Where a value of a catalog came from.
room(catalog/explanation
  USES base syntax values types serialization ruby/erb functions site/environment site/lookup
       resource_types catalog/compiler
  FACE explanation.h survey.h)
