# Nodes with their own definitions, and the default for all others.

node 'db01.example.com', 'db02.example.com' {
  $purpose = 'database'

  class { 'role::database':
    cluster => 'accounts',
  }

  # This pair is monitored more closely than the other databases.
  Profile::Cron <| tag == 'housekeeping' |> {
    minute => '*/15',
  }
}

node default {
  $purpose = 'anything'

  include role::minimal
}
