# The home directory of a user.
#
# @param name The login name
# @param given What data says about it, if anything
# @return [Stdlib::Absolutepath]
function accounts::home(Accounts::Name $name, Optional[Stdlib::Absolutepath] $given = undef) >> Stdlib::Absolutepath {
  if $given {
    return $given
  }
  case $name {
    'root':  { '/root' }
    default: { "/home/${name}" }
  }
}
