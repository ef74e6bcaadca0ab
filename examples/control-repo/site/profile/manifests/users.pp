# The users of the teams that maintain this node.
class profile::users (
  Array[String[1]] $teams  = $facts.get('teams', []),
  Array[String[1]] $always = [],
) {
  include accounts

  $teams.each |$team| {
    Accounts::User <| tag == $team |>
  }

  $always.each |$name| {
    realize(Accounts::User[$name])
  }

  # Administrators get one more group, independently of where their account was declared.
  Accounts::User <| tag == 'oncall' and title != 'guest' |> {
    groups +> [$::admin_group],
  }

  Group <| tag == 'accounts' |>

  file { '/etc/sudoers.d/site':
    ensure  => file,
    mode    => '0440',
    content => "%${::admin_group} ALL=(ALL) NOPASSWD: ALL\n",
  }
}
