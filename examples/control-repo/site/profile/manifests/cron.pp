# A cron job in a separate file.
define profile::cron (
  String[1]                            $command,
  Variant[Integer[0, 23], String[1]]   $hour        = '*',
  Variant[Integer[0, 59], String[1]]   $minute      = '*',
  String[1]                            $user        = 'root',
  Array[Pattern[/\A[A-Z_]+=/]]         $environment = [],
) {
  $slug = $title.regsubst('\W+', '-', 'G')

  file { "/etc/cron.d/${slug}":
    ensure  => file,
    mode    => '0644',
    content => @("CRON"),
      # ${title}
      ${environment.join("\n")}
      ${minute} ${hour} * * * ${user} ${command}
      | CRON
  }
}
