# Many nodes at once: facts, the run over all processors, problems by their causes, the cache.
room(fleet
  USES base syntax values evaluation site/node site/environment site/lookup catalog/document
  FACE impact.h node_cache.h node_list.h ordered_run.h outcome.h problem_groups.h report.h unused.h)
