# Returns the path that it was called with.
function levels::path(Hash $options, $context) {
  { 'levels::path' => [$options['path'], { $options['path'] => 1 }] }
}
