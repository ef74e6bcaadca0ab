# A packet filter whose rules come from data and from declarations of packetfilter::rule.
class packetfilter (
  Packetfilter::Action        $policy,
  Hash[String[1], Hash]       $rules,
  Stdlib::Absolutepath        $rules_folder,
  Array[Stdlib::IP::Address]  $trusted_networks,
  Enum[running, stopped]      $service_ensure = running,
) {
  contain packetfilter::install
  contain packetfilter::config
  contain packetfilter::service

  Class['packetfilter::install']
  -> Class['packetfilter::config']
  ~> Class['packetfilter::service']

  $rules.each |$name, $rule| {
    packetfilter::rule { $name:
      * => $rule,
    }
  }
}
