function m::data(Hash $options, $context) {
  { 'from_function' => $options['from'], 'cached' => $context.cached_value('x') }
}
