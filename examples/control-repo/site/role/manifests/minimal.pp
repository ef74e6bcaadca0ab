# A node about which nobody has said anything yet.
class role::minimal {
  include profile::base
}
