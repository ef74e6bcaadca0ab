# A database server, tuned to its machine.
class profile::database::server (
  String[1]                                        $cluster,
  String[1]                                        $version,
  Hash[String[1], Scalar]                          $parameters = {},
  Hash[String[1], Struct[{
    owner                => String[1],
    Optional[extensions] => Array[String[1]],
  }]]                                              $databases = {},
  Sensitive[Hash[String[1], String[8]]]            $passwords = Sensitive({}),
  Array[Tuple[Enum[host, local], String, String, Stdlib::IP::Address, 3, 4]] $access = [],
  Hash[Stdlib::Absolutepath, Profile::Mount]       $mounts = {},
) {
  require profile::database::repository

  $folder = "/var/lib/pgsql/${version}"
  $memory = profile::share_of_memory(1)

  $tuned = {
    'shared_buffers'       => "${$memory / 4}MB",
    'effective_cache_size' => "${$memory * 3 / 4}MB",
    'work_mem'             => "${max(4, $memory / 512)}MB",
    'max_worker_processes' => $facts['processors']['count'],
    'huge_pages'           => 'try',
    'listen_addresses'     => $facts['networking']['ip'],
  }

  $mounts.each |$path, $mount| {
    $options = $mount['options'] ? {
      undef   => {},
      default => { 'Options' => $mount['options'].join(',') },
    }
    $where = { 'What' => $mount['device'], 'Where' => $path, 'Type' => $mount['fstype'] }

    systemd_unit { "${path[1, -1].regsubst('/', '-', 'G')}.mount":
      sections => {
        'Mount'   => $where + $options,
        'Install' => { 'WantedBy' => 'local-fs.target' },
      },
      tag      => 'mount',
    }
  }

  package { "postgresql${version}-server":
    ensure => installed,
  }

  service { "postgresql-${version}":
    ensure => running,
    enable => true,
  }

  file { "${folder}/data/postgresql.conf":
    ensure  => file,
    owner   => 'postgres',
    group   => 'postgres',
    mode    => '0600',
    content => ($tuned + $parameters).map |$pair| {
      $text = $pair[1] ? {
        Numeric => $pair[1],
        Boolean => String($pair[1]),
        default => "'${pair[1]}'",
      }
      "${pair[0]} = ${text}\n"
    }.join,
  }

  $rules = $access.map |$rule| { $rule.filter |$word| { $word =~ NotUndef }.join("\t") }
  file { "${folder}/data/pg_hba.conf":
    ensure  => file,
    owner   => 'postgres',
    group   => 'postgres',
    mode    => '0600',
    content => [@(HEAD), *$rules, "local\tall\tpostgres\tpeer", ''].join("\n"),
      # Who may connect, and how.
      #TYPE	DATABASE	USER	ADDRESS
      |- HEAD
  }

  Package["postgresql${version}-server"]
  -> [File["${folder}/data/postgresql.conf"], File["${folder}/data/pg_hba.conf"]]
  ~> Service["postgresql-${version}"]

  Systemd_unit <| tag == 'mount' |> -> Package["postgresql${version}-server"]

  $databases.map |$name, $database| { $database['owner'] }.unique.each |$owner| {
    profile::database::role { $owner:
      password => $passwords.unwrap[$owner].then |$password| { Sensitive($password) },
    }
  }

  $databases.each |$name, $database| {
    profile::database::database { $name:
      * => $database,
    }
  }

  # Databases come after the server, and owners before their databases.
  Service["postgresql-${version}"]
  -> Profile::Database::Role <| |>
  -> Profile::Database::Database <| |>

  $access
    .map |$rule| { $rule[3] }
    .filter |$source| { $source =~ NotUndef }
    .unique
    .each |$index, $source| {
      packetfilter::rule { "database from ${source}":
        ports   => 5432,
        sources => [$source],
        order   => 40 + $index,
        comment => $cluster,
      }
    }
}
