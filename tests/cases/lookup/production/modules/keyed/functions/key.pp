# Returns what it was called with.
function keyed::key(Variant[String, Numeric] $key, Hash $options, $context) {
  case $key {
    'lookup_options': { $context.not_found }
    /context$/:       { $context.cache('key', $key) [$context] }
    default:          { [$key, { $key => $key }] }
  }
}
