# The context is used after the lookup.
class keyed::kept($context) {
  $kept = $context[0]
  $kept.explain || { 'nothing explains' }
  notify { 'kept':
    message => [$kept.environment_name, $kept.module_name, $kept.cached_value('key'), $kept.cache('more', 1),
      $kept.cached_entries.map |$entry| { $entry }, $kept.cached_file_data("${settings::environmentpath}/production/environment.conf") =~ String],
  }
}
