# The home directory of a user.
#
# @param name The login name
# @param given The directory from data, if any
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
