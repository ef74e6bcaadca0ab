require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'kit_shelf',
  docs: 'A shelf with books.',
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Is it there?', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    label: { type: 'Optional[String]', desc: 'What is written on it.' },
    size: { type: 'Integer[1, 10]', desc: 'Its size.', default: 3 },
    books: { type: 'Array[String]', desc: 'What is on it.', default: [] },
    open: { type: 'Boolean', desc: 'Has it a door?', default: true },
    colour: { type: 'Enum[red, green]', desc: 'Cannot be changed.', behaviour: :init_only, default: 'red' },
    hint: { type: 'Optional[String]', desc: 'A parameter.', behaviour: :parameter },
    weight: { type: 'Optional[Integer]', desc: 'Is only read.', behaviour: :read_only },
  },
)
