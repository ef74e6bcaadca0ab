# @api private
class packetfilter::config {
  $template = 'packetfilter/main.epp'

  file {
    default:
      mode   => '0600',
      ensure => file;

    $packetfilter::rules_folder:
      ensure  => directory,
      mode    => '0700',
      purge   => true,
      recurse => true;

    '/etc/nftables.conf':
      content => epp($template, {
        policy           => $packetfilter::policy,
        trusted_networks => $packetfilter::trusted_networks,
        rules_folder     => $packetfilter::rules_folder,
      });
  }
}
