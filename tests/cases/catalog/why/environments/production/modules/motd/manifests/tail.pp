class motd::tail {
  notify { 'tail': }
}
