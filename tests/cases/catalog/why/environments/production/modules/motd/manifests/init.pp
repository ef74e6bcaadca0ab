class motd (
  Array[String] $lines,
  String $greeting = 'hi',
  String $path = "/etc/${facts['role']}",
) {
  $text = $lines.join("\n")
  $note = lookup('motd::note')
  file { $path:
    content => "${greeting} ${text}",
    owner   => $motd::owner::user,
  }
  @notify { 'note': message => $note }
  motd::part { 'first': text => $greeting }
  contain motd::tail
}
