# @api private
class packetfilter::install {
  package { 'nftables':
    ensure => installed,
  }
}
