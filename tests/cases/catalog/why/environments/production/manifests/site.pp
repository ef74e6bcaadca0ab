File { mode => '0600', backup => false }
node 'web' {
  include motd::owner
  include motd
}
Notify <| title == 'note' |> { loglevel => 'debug' }
File <| owner == 'root' |> { mode => '0644' }
notify { 'before': } -> Class['motd']
class child inherits motd::tail {
  Notify['tail'] { message +> ['more'], withpath => true }
}
include child
