$top = 'set here'
node /^n[123]$/ { include m include m::chosen }
node default {
  include m
  notify { "rest ${facts.dig('os', 'name')} ${facts.get('deep.way.down', 'nowhere')}": }
  if 'absent' in $facts { notify { 'absent is there': } }
}
