# One login with its home and keys.
define accounts::user (
  Accounts::Uid                $uid,
  Enum[present, absent]        $ensure = present,
  Array[Accounts::Name]        $groups = [],
  Stdlib::Absolutepath         $shell  = $accounts::default_shell,
  Stdlib::Absolutepath         $home   = accounts::home($title),
  Optional[Stdlib::Email]      $email  = undef,
  Hash[String, Accounts::Key]  $keys   = {},
) {
  assert_type(Accounts::Name, $title)

  $directory = $ensure ? {
    present => directory,
    default => absent,
  }

  user { $title:
    ensure         => $ensure,
    uid            => $uid,
    gid            => $title,
    groups         => $groups.unique.sort,
    shell          => $shell,
    home           => $home,
    comment        => $email.then |$address| { "${title.capitalize} <${address}>" },
    managehome     => false,
    # A file of keys is written as a whole.
    purge_ssh_keys => $keys.empty,
  }

  group { $title:
    ensure => $ensure,
    gid    => $uid,
  }

  file { $home:
    ensure => $directory,
    owner  => $title,
    group  => $title,
    mode   => '0750',
    force  => true,
  }

  if $ensure == present {
    Group[$title] -> User[$title] -> File[$home]

    unless $keys.empty {
      file {
        default:
          owner => $title,
          group => $title;

        "${home}/.ssh":
          ensure => directory,
          mode   => '0700';

        "${home}/.ssh/authorized_keys":
          ensure  => file,
          mode    => '0600',
          content => $keys.map |$comment, $key| { accounts::key_line($comment, $key) }.join("\n");
      }
    }
  } else {
    User[$title] -> Group[$title]
  }
}
