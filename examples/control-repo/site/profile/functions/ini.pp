# Formats a hash of hashes as an INI file. Values that are undef are omitted.
#
# @param sections Section name to keys
# @param separator The text between key and value
# @example
#   profile::ini({ 'main' => { 'port' => 80 } })
function profile::ini(Hash[String[1], Hash] $sections, String $separator = ' = ') >> String {
  $sections.reduce('') |$text, $section| {
    [$name, $keys] = $section
    $lines = $keys
      .filter |$key, $value| { $value =~ NotUndef }
      .map |$key, $value| { "${key}${separator}${profile::scalar($value)}" }

    "${text}[${name}]\n${lines.join("\n")}\n"
  }
}
