# A role that may log in to the database.
define profile::database::role (
  Optional[Sensitive[String[1]]] $password = undef,
) {
  exec { "create role ${title}":
    command     => "createuser ${title}",
    user        => 'postgres',
    environment => $password.then |$secret| { Sensitive(["PGPASSWORD=${secret.unwrap}"]) },
    unless      => "psql -tc '\\du' | grep -qw ${title}",
  }
}
