# Jobs that keep a node tidy.
class profile::housekeeping (
  Hash[String[1], Struct[{ command => String[1], Optional[at] => Profile::Schedule }]] $jobs = {},
) {
  Profile::Cron {
    user        => 'root',
    environment => ['MAILTO=root', 'PATH=/usr/bin:/bin'],
  }

  $jobs.each |$name, $job| {
    $time = profile::time_of_day($job.get('at', 'nightly'), $name)

    profile::cron { "housekeeping: ${name}":
      command => $job['command'],
      hour    => $time['hour'],
      minute  => $time['minute'],
      tag     => 'housekeeping',
    }
  }
}
