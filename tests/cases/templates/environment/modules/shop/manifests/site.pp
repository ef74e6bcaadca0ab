# A define whose template looks into the class.
define shop::site (
  Array[String] $aliases = [],
) {
  notify { "site ${title}":
    message => template('shop/site.erb'),
  }
}
