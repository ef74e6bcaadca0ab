# A class whose templates see its variables.
class shop (
  Integer $port = 80,
  Array[String] $names = ['a', 'b'],
  Optional[String] $motto = undef,
) {
  $options = { 'Indexes' => true, 'FollowSymLinks' => false }
  notify { 'main':
    message => template('shop/main.erb', 'shop/part/footer.erb'),
  }
  shop::site { 'one': aliases => ['x', 'y'] }
  shop::site { 'two': }
}
