function wrap_failing(String $key, Hash $options, Puppet::LookupContext $context) {
  $folder = regsubst($options['path'], '/[^/]*$', '')
  case $key {
    'no_path': { yaml_data({}, $context) }
    'no_json_path': { json_data({ 'x' => 1 }, $context) }
    'no_key_path': { eyaml_lookup_key('a', {}, $context) }
    'no_file': { yaml_data({ 'path' => '/nonexistent/x.yaml' }, $context) }
    'no_hash': { yaml_data({ 'path' => "${folder}/list.yaml" }, $context) }
    'broken': { yaml_data({ 'path' => "${folder}/broken.yaml" }, $context) }
    'known': {
      $given = $context.cached_file_data("${folder}/broken.yaml") |$text| { { 'text' => $text } }
      yaml_data({ 'path' => "${folder}/broken.yaml" }, $context)
    }
    default: { $context.not_found }
  }
}
