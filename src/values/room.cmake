# Values, the structure of types, and when two of them are the same.
room(values
  USES base
  FACE bounds.h changed_objects.h conversion_error.h flattened.h foreign_object.h object.h ruby_number.h
       sem_ver.h shared_parts.h strftime.h time_arithmetic.h timespan.h timestamp.h type.h uri.h value.h)
