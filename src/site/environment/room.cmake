# Modules, autoload paths and parsed programs of an environment.
room(site/environment
  USES base syntax validation values types serialization evaluation ruby/worker functions
       site/settings
  FACE checked_program.h environment.h environment_settings.h file_place.h files.h loader.h
       module_names.h problem_limits.h)
