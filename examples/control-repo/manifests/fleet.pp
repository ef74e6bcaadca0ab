# The nodes that examples/fleet/generate generates, by the beginning of their names.
node /^web\d{5}\.fleet\.example\.com$/ {
  $purpose = 'web'

  class { 'role::web':
    primary => false,
  }
}

node /^database\d{5}\.fleet\.example\.com$/ {
  $purpose = 'database'

  class { 'role::database':
    cluster => "warehouse-${facts['datacenter']}",
  }
}

node /^worker\d{5}\.fleet\.example\.com$/ {
  $purpose = 'worker'

  include profile::base
  include profile::web::application
  include profile::backup
}

node /^edge\d{5}\.fleet\.example\.com$/ {
  $purpose = 'edge'

  include role::minimal
}
