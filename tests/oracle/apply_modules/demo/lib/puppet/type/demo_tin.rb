require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'demo_tin',
  desc: 'A tin, with two names and values that are brought into a form.',
  features: %w[canonicalize supports_noop simple_get_filter],
  title_patterns: [
    { pattern: %r{\A(?<shelf>[^/]+)/(?<name>.+)\z}, desc: 'shelf and name' },
    { pattern: %r{\A(?<name>.+)\z}, desc: 'a name' }
  ],
  attributes: {
    ensure: { type: 'Enum[present, absent]', desc: 'Is it there?', default: 'present' },
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    shelf: { type: 'String', desc: 'Where it stands.', behaviour: :namevar, default: 'top' },
    content: { type: 'String', desc: 'What is in it.' },
    grams: { type: 'Variant[Integer, Pattern[/\A\d+\z/]]', desc: 'How much.', default: 500 },
    sealed: { type: 'Boolean', desc: 'Is it closed?', default: false },
    secret: { type: 'Optional[Sensitive[String]]', desc: 'A secret.' },
    parts: { type: 'Optional[Hash[String, Array[Integer]]]', desc: 'What it is made of.' },
    token: { type: 'String', desc: 'A parameter that is wanted.', behaviour: :parameter, default: 'none' }
  },
  autorequire: { file: '$shelf' }
)
