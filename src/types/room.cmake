# The built-in types, relations of types and values, and their text.
room(types
  USES base syntax values
  FACE built_in_types.h interpolation.h interpretation.h mismatch.h new_signatures.h object_init.h
       relations.h ruby_value_text.h type_error.h type_text.h value_text.h written_reference.h)
