# ERB templates that use common Ruby only, rendered without Ruby.
room(ruby/erb
  USES base values types conversion
  FACE function_file.h template.h)
