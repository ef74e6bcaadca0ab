# One check of the monitoring agent.
define profile::monitoring::check (
  String[1]               $command,
  Array[Variant[String, Numeric]] $arguments = [],
  Integer[10]             $interval  = 300,
  Optional[Struct[{
    warning  => Numeric,
    critical => Numeric,
  }]]                     $limits    = undef,
) {
  $slug = $title.downcase.regsubst('[^a-z0-9]+', '_', 'G').regsubst('\A_|_\z', '', 'G')

  $extra = $limits ? {
    undef   => [],
    default => ['-w', $limits['warning'], '-c', $limits['critical']],
  }

  file { "/etc/monitoring/checks.d/${slug}.json":
    ensure  => file,
    mode    => '0644',
    content => to_json({
      'name'     => $title,
      'command'  => [$command, *$arguments, *$extra].map |$word| { String($word) },
      'interval' => $interval,
    }),
    tag     => "every-${interval}",
  }
}
