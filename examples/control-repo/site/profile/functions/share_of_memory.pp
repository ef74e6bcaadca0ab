# Returns a share of the node's memory in whole mebibytes, at least 16.
function profile::share_of_memory(Numeric $share) >> Integer {
  $bytes = $facts.dig('memory', 'system', 'total_bytes')
  $mebibytes = $bytes ? {
    Integer => $bytes / (1024 * 1024),
    default => fail('the fact memory.system.total_bytes is missing'),
  }
  max(16, Integer($mebibytes * $share))
}
