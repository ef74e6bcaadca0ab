# Settings: their registry, puppet.conf, and what they expand to.
room(site/settings
  USES base
  FACE puppetfile.h repository.h repository_conf.h service_directories.h settings.h settings_check.h settings_file.h settings_table.h)
