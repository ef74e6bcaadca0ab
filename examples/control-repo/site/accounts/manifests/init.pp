# The users who may log in. Every one is declared virtually; profiles realize those they need.
#
# @param users Login name to description
# @param groups Group name to its number
# @param default_shell For users without an explicit shell
# @param manage_skeleton Whether new home directories contain our prompt
class accounts (
  Hash[Accounts::Name, Accounts::Person]  $users,
  Hash[Accounts::Name, Integer[500, 999]] $groups,
  Stdlib::Absolutepath                    $default_shell,
  Boolean                                 $manage_skeleton,
) {
  $groups.each |$name, $number| {
    @group { $name:
      ensure => present,
      gid    => $number,
      system => true,
      tag    => ['accounts', "gid-${number}"],
    }
  }

  $prepared = $users.map |$name, $user| {
    $extra = {
      tag   => pick($user['teams'], ['nobody']),
      shell => pick($user['shell'], $default_shell),
      home  => accounts::home($name, $user['home']),
    }
    [$name, ($user - ['teams']) + $extra]
  }
  create_resources('@accounts::user', Hash($prepared), { 'ensure' => 'present' })

  if $manage_skeleton {
    file { '/etc/skel/.bashrc':
      ensure => file,
      mode   => '0644',
      source => 'puppet:///modules/accounts/bashrc',
    }
  }
}
