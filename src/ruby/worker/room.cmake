# Ruby code of modules, run in processes of the system's ruby.
room(ruby/worker
  USES base syntax values types conversion serialization evaluation
  FACE changes.h function.h pool.h prelude.h session.h worker.h)
embed_prelude(bunraku_ruby_worker)
