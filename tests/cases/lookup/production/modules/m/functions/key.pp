function m::key(Variant[String, Numeric] $key, Hash $options, $context) {
  case $key {
    'computed': { "computed by ${context.module_name}" }
    'explained': { $context.explain || { 'looked at it' } 'explained' }
    default:    { $context.not_found }
  }
}
