# The message of the day.
class profile::motd (
  String $text = 'welcome',
) {
  file { '/etc/motd':
    ensure  => file,
    content => epp('profile/motd.epp', { 'text' => $text }),
  }
}
