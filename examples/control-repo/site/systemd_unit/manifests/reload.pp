# @api private
class systemd_unit::reload {
  exec { 'systemctl daemon-reload':
    refreshonly => true,
  }
}
