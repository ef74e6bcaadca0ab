# Rich data, read and written.
room(serialization
  USES base values types conversion
  FACE serialization.h)
