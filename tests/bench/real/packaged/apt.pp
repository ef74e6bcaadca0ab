# A mirror's client: a hundred sources, pins, keys and settings.
class { 'apt':
  update => { 'frequency' => 'daily', 'timeout' => 600 },
  purge  => { 'sources.list' => true, 'sources.list.d' => true, 'preferences.d' => true },
  proxy  => { 'host' => 'proxy.example.com', 'port' => 3128 },
}
include apt::backports
Integer[1, 100].each |$number| {
  apt::source { "mirror${number}":
    comment  => "Mirror ${number}",
    location => "https://mirror.example.com/${number}",
    release  => 'bookworm',
    repos    => 'main contrib',
    include  => { 'src' => true, 'deb' => true },
    key      => { 'id' => sprintf('6F6B15509CF8E59E6E469F327F438280EF8D%04X', $number), 'server' => 'keys.example.com' },
    pin      => 100 + $number,
  }
  apt::pin { "package${number}": packages => ["package${number}", "libpackage${number}"], priority => 500 + $number, origin => 'mirror.example.com' }
  apt::conf { "option${number}": priority => '50', content => "APT::Option${number} \"true\";" }
  apt::mark { "tool${number}": setting => 'hold' }
}
