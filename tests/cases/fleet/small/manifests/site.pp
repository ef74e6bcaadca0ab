node default {
  include site::motd
  include "site::${facts['role']}"
}
