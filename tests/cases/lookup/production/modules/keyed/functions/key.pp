# Returns the key that it was called with.
function keyed::key(Variant[String, Numeric] $key, Hash $options, $context) {
  if $key == 'lookup_options' { $context.not_found }
  [$key, { $key => $key }]
}
