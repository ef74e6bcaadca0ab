# docker_run_flags: not looked into.
