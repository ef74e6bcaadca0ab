require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'kit_rack',
  docs: 'A rack, which may remove all others.',
  features: %w[custom_generate],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Is it there?', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    level: { type: 'Optional[Variant[Integer, String]]', desc: 'Where it is.' },
    purge: { type: 'Boolean', desc: 'Are others removed?', behaviour: :parameter, default: false },
    colour: { type: 'Optional[String]', desc: 'Its colour.', behaviour: :parameter }
  }
)
