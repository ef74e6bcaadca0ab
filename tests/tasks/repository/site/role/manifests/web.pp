# A web server.
class role::web {
  include profile::motd
}
