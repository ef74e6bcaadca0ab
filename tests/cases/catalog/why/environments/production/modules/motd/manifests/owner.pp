class motd::owner {
  $user = 'root'
}
