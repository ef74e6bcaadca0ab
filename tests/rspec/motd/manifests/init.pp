# The message of the day.
class motd (
  String $text,
  Motd::Mode $mode = '0644',
  Array[String] $parts = [],
  Optional[Sensitive[String]] $secret = undef,
  Boolean $exports = false,
) {
  contain motd::install
  contain motd::config
  Class['motd::install'] -> Class['motd::config']
  if $exports {
    @@motd::part { "exported-${facts['networking']['hostname']}":
      content => 'elsewhere',
    }
  }
}
