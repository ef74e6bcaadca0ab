# A node without any role.
class role::minimal {
  include profile::base
}
