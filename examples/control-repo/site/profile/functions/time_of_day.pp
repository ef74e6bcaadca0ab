# Returns hour and minute for a schedule; nightly jobs are distributed over the hours with little use.
function profile::time_of_day(Profile::Schedule $schedule, String $seed) >> Struct[{
  hour   => Integer[0, 23],
  minute => Integer[0, 59],
}] {
  if $schedule =~ /\A(\d+):(\d+)\z/ {
    return({ 'hour' => Integer($1, 10), 'minute' => Integer($2, 10) })
  }
  $time = {
    'hour'   => 1 + Integer(fqdn_rand(4, $seed)),
    'minute' => Integer(fqdn_rand(60, $seed)),
  }
  $time
}
