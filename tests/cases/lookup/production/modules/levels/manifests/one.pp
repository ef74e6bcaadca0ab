class levels::one {
  $level = 'one'
  $path = lookup('levels::path')
  notify { 'one': message => $path }
}
