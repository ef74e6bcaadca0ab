# The graph of dependencies, the walk over it, and what types and providers are written against.
room(apply/transaction
  USES base catalog/document apply/reports
  FACE bucket_server.h catalog.h catalog_summary.h context.h earlier_state.h execution.h failure.h
       relationship_graph.h resource.h resource_type.h run.h transaction.h)
