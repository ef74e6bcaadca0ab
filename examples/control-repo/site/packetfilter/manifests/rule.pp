# Accepts or rejects traffic.
#
# @param ports The destination ports
# @param order The position among the rules
define packetfilter::rule (
  Packetfilter::Ports                $ports,
  Enum[tcp, udp]                     $protocol = tcp,
  Packetfilter::Action               $action   = accept,
  Variant[Array[String[1]], Undef]   $sources  = undef,
  Integer[0, 99]                     $order    = 50,
  Optional[String[1]]                $comment  = undef,
) {
  $file_name = sprintf('%02d-%s.nft', $order, $title.regsubst(/[^a-z0-9]+/, '-', 'G'))

  $lines = pick_default($sources, ['']).map |$source| {
    $from = $source ? {
      ''      => '',
      /:/     => "ip6 saddr ${source} ",
      default => "ip saddr ${source} ",
    }
    "${from}${protocol} dport ${packetfilter::ports($ports)} ${action}"
  }

  file { "${packetfilter::rules_folder}/${file_name}":
    ensure  => file,
    mode    => '0600',
    content => @("RULE"),
      # ${pick($comment, $title)}
      ${lines.join("\n")}
      | RULE
    tag     => ['packetfilter', $protocol],
    require => Class['packetfilter::install'],
    notify  => Class['packetfilter::service'],
  }
}
