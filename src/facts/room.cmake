# What this host is: collectors of core facts, external facts.
room(facts
  USES base
  LIBRARIES late_blkid ${CMAKE_DL_LIBS}
  FACE core_facts.h host_facts.h)
