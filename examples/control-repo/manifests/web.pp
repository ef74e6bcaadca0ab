# web01.example.com, web02-staging.example.com, …
node /^web(\d{2})(-staging)?\.example\.com$/ {
  $purpose = 'web'
  $number  = Integer($1, 10)
  $staging = $2 ? {
    undef   => false,
    default => true,
  }

  if $staging {
    notify { 'staging':
      message  => "web server number ${number} is for staging",
      loglevel => 'debug',
    }
  }

  class { 'role::web':
    primary => $number == 1,
  }
}
