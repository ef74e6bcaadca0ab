define site::volume (Integer $size) {
  exec { "/sbin/make-volume ${title} ${size}": }
}
