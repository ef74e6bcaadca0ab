# Nodes that are known by name, and what becomes of all the others.

node 'db01.example.com', 'db02.example.com' {
  $purpose = 'database'

  class { 'role::database':
    cluster => 'accounts',
  }

  # This pair is watched more closely than the rest of its kind.
  Profile::Cron <| tag == 'housekeeping' |> {
    minute => '*/15',
  }
}

node default {
  $purpose = 'anything'

  include role::minimal
}
