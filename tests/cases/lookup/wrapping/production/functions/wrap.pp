function wrap(Hash $options, Puppet::LookupContext $context) {
  $data = yaml_data($options, $context)
  $folder = regsubst($options['path'], '/[^/]*$', '')
  $again = yaml_data($options, $context)
  $data + { 'a' => "${data['a']}, wrapped", 'json' => json_data({ 'path' => "${folder}/a.json" }, $context), 'same' => $again == $data,
    'a list' => json_data({ 'path' => "${folder}/list.json" }, $context) }
}
