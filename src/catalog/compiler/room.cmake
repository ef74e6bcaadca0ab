# Resources, containment, relationships, collectors, overrides: the phases of a compilation.
room(catalog/compiler
  USES base syntax values types serialization evaluation ruby/worker functions site/node
       site/environment site/lookup site/file_serving resource_types catalog/document
  FACE catalog_json.h compiler.h generated_types.h provenance.h static_catalog.h)
