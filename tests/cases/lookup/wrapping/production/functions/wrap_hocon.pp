function wrap_hocon(Hash $options, Puppet::LookupContext $context) {
  hocon_data($options, $context)
}
