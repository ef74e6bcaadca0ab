# A database with its owner and extensions.
define profile::database::database (
  String[1]        $owner,
  Array[String[1]] $extensions = [],
) {
  unless defined(Profile::Database::Role[$owner]) {
    fail("the database ${title} belongs to '${owner}', who has no role")
  }

  exec { "create database ${title}":
    command => "createdb -O ${owner} ${title}",
    user    => 'postgres',
    unless  => "psql -lqt | cut -d'|' -f1 | grep -qw ${title}",
  }

  $extensions.each |$extension| {
    exec { "create extension ${extension} in ${title}":
      command => "psql -d ${title} -c 'CREATE EXTENSION IF NOT EXISTS \"${extension}\"'",
      user    => 'postgres',
      unless  => "psql -d ${title} -tc '\\dx' | grep -qw ${extension}",
      require => Exec["create database ${title}"],
    }
  }

  file { "/etc/backup/${title}.dump":
    ensure  => file,
    mode    => '0600',
    content => sprintf("pg_dump %s > /var/backups/%s\n", $title, $title),
  }
}
