# Facts, catalogs and reports of nodes in SQLite or PostgreSQL, and queries of them.
room(store
  USES base net
  LIBRARIES late_sqlite ${CMAKE_DL_LIBS}
  FACE commands/agent_report.h commands/command.h configuration.h database/sqlite.h error.h
       http/api.h http/serve.h lifecycle/archive.h lifecycle/check.h lifecycle/collector.h
       lifecycle/garbage.h lifecycle/spool.h query/answer.h query/fields.h schema/migrations.h
       store.h time_text.h)
# Headers alone of libpq and libarchive: they are loaded when they are needed.
target_include_directories(bunraku_store PRIVATE ${LIBPQ_INCLUDE_DIRS} ${LIBARCHIVE_INCLUDE_DIRS})
