# @api private
class packetfilter::service {
  service { 'nftables':
    ensure => $packetfilter::service_ensure,
    enable => $packetfilter::service_ensure == running,
  }
}
