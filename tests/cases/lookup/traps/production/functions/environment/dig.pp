function environment::dig(Array $segments, Hash $options, Puppet::LookupContext $context) {
  if $segments[0] == 'dug' {
    "${segments.join('/')} for ${options['given']}"
  } else {
    $context.not_found
  }
}
