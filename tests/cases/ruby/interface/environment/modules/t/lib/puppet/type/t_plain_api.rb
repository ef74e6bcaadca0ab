Puppet::ResourceApi.register_type({
  name: 't_plain_api',
  docs: 'x',
  attributes: {
    name: { type: 'String', behaviour: :namevar, desc: 'n' },
    items: { type: 'Array[Hash[String, Any]]', desc: 'i' }
  }
})
