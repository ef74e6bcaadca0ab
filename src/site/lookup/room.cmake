# Hiera: configuration, data providers, interpolation, merging.
room(site/lookup
  USES base validation values types conversion serialization evaluation functions site/environment
  FACE data_files.h explainer.h hiera_config.h lookup.h lookup_key.h)
