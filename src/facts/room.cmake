# What this host is: collectors of core facts, external facts.
room(facts
  USES base
  LIBRARIES late_blkid
  FACE core_facts.h host_facts.h)
