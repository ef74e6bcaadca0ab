# Formats a key as one line of an authorized_keys file.
function accounts::key_line(String[1] $comment, Accounts::Key $key) >> String[1] {
  [$key.get('options', []).join(','), $key['type'], $key['key'], $comment]
    .filter |$word| { !$word.empty }
    .join(' ')
}
