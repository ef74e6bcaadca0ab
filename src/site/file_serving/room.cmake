# Mounts, the files below a directory, and their metadata.
room(site/file_serving
  USES base values types site/environment
  FACE file_metadata.h file_set.h mounts.h source_url.h)
