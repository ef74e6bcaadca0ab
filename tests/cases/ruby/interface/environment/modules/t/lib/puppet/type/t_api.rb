# frozen_string_literal: true

require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 't_api',
  docs: 'An API type',
  features: %w[simple_get_filter canonicalize supports_noop remote_resource],
  title_patterns: [
    { pattern: %r{^(?<package>.*[^/])/(?<manager>[^/]+)$}, desc: 'both' },
    { pattern: /^(?<package>.*)$/, desc: 'one' }
  ],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'e', default: 'present' },
    package: { type: 'String', behaviour: :namevar, desc: 'p' },
    manager: { type: 'String', behaviour: :namevar, desc: 'm' },
    version: { type: 'Optional[String[1]]', desc: 'v' },
    secret: { type: 'Sensitive[String]', behaviour: :parameter, desc: 's' },
    state: { type: 'String', behaviour: :read_only, desc: 'r' },
    first: { type: 'String', behaviour: :init_only, desc: 'i' }
  },
  autorequires: { file: '$package', package: ['x'] }
)
