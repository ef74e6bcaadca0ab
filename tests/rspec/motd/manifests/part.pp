# A file in the directory of parts.
define motd::part (
  String $content,
  Integer[0, 99] $order = 10,
  Hash $options = {},
) {
  include motd
  file { "/etc/motd.d/${order}-${name}":
    content => "${content}\n",
    tag     => 'motd-part',
  }
  notify { "part ${title}":
    message => { 'options' => $options, 'order' => $order, 'nothing' => undef },
  }
}
