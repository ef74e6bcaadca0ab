# What happened in a run, in the reference's report format.
room(apply/reports
  USES base
  FACE datum.h report.h)
