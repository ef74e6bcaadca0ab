# Nodes compiled for the command line, the fleet and the server, from shared generations of environments.
room(compilation
  USES base values serialization evaluation ruby/worker functions site/settings site/node
       site/environment site/lookup site/file_serving catalog/compiler fleet store
  FACE catalog_compilation.h code_evaluation.h compilation.h deferred_values.h environment_side.h
       environment_version.h fleet_compilation.h inputs.h limit_errors.h service.h stored_nodes.h tree_stamps.h)
