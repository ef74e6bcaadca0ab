require 'puppet/resource_api'

# A schema with mistakes that are only warned of.
Puppet::ResourceApi.register_type(
  name: 'kit_crate',
  features: %w[canonicalize wheels wings],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Is it there?', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    size: { type: 'Optional[Integer]', desc: 'Its size.' },
    pass: { type: 'Optional[Integer]', desc: 'A secret.', sensitive: true },
    label: { type: 'Optional[String]' }
  }
)
