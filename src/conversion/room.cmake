# Values made of values: `new` and format strings.
room(conversion
  USES base values types
  FACE conversion.h new_function.h object_construction.h replacement.h ruby_format.h ruby_string.h)
