require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'demo_jar',
  desc: 'A jar whose provider decides what is in sync.',
  features: %w[custom_insync],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Is it there?', default: 'present' },
    path: { type: 'String', desc: 'A file.', behaviour: :namevar },
    minimum: { type: 'Integer', desc: 'At least so many lines.' },
    force: { type: 'Optional[Boolean]', desc: 'A parameter.', behaviour: :parameter, default: false }
  }
)
