# Formats one value for configuration files.
function profile::scalar(Variant[Scalar, Array[Scalar], Sensitive[String]] $value) >> String {
  case $value {
    Boolean:   { if $value { 'on' } else { 'off' } }
    Sensitive: { $value.unwrap }
    Array:     { $value.map |$element| { profile::scalar($element) }.join(',') }
    default:   { String($value) }
  }
}
