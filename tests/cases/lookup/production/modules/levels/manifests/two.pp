class levels::two {
  $level = 'two'
  $path = lookup('levels::path')
  notify { 'two': message => $path }
}
