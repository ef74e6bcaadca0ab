# What can be wrong with each kind of file of a repository.
room(site/checks
  USES base syntax validation values site/settings site/environment site/lookup
  FACE file_check.h ruby_check.h)
