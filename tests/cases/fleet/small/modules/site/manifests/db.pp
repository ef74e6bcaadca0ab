class site::db (Integer $size) {
  if $size > 4 and $facts['memory'] < 4 {
    fail("${facts['networking']['hostname']} is too small for ${size}")
  }
  site::volume { 'data': size => $size }
}
