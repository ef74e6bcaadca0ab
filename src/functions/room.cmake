# The built-in functions and those of the standard library module.
room(functions
  USES base syntax validation values types conversion serialization ruby/erb evaluation ruby/worker
  LIBRARIES late_crypt late_crypto
  FACE core/command.h core/comparison.h core/files.h core/node_store.h core/plain_function.h core/registry.h
       stdlib/json_text.h)
