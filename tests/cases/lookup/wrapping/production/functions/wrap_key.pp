function wrap_key(String $key, Hash $options, Puppet::LookupContext $context) {
  if $key =~ /^key_(.*)/ {
    $value = eyaml_lookup_key($1, $options, $context)
    [$value, eyaml_lookup_key($1, $options, $context), $context.cached_entries.map |$e| { $e[0] }]
  } else {
    $context.not_found
  }
}
