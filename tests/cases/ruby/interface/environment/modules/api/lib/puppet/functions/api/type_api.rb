# frozen_string_literal: true

Puppet::Functions.create_function(:'api::type_api') do
  dispatch :run do
    param 'String', :what
  end

  def run(what)
    f = Puppet::Pops::Types::TypeFactory
    t = Puppet::Pops::Types
    parser = t::TypeParser.singleton
    calculator = t::TypeCalculator
    case what
    when 'parse' then parser.parse("Hash[String[1], Optional[Api::Port]]").to_s
    when 'factory'
      [f.string, f.integer, f.float, f.boolean, f.any, f.undef, f.scalar, f.data, f.default, f.numeric, f.regexp, f.collection,
       f.array_of(f.integer), f.array_of_any, f.hash_of(f.integer, f.string), f.hash_of_any, f.optional(f.string), f.variant(f.string, f.integer),
       f.enum('a', 'b'), f.range(1, 5), f.range(1, :default), f.pattern(/x/, 'y'), f.tuple([f.string, f.integer]), f.struct('a' => f.string, f.optional('b') => f.any),
       f.callable, f.callable(f.string, 1, 2), f.type_type(f.string), f.sensitive, f.not_undef(f.string), f.iterable(f.string),
       f.resource('File', '/x'), f.host_class('api'), f.regexp('a.b'), f.float_range(1.5, 2.0), f.type_of([1, 'x']), f.string('s')].map(&:to_s)
    when 'infer' then [calculator.infer([1, 'a']).to_s, calculator.infer_set([1, 'a']).to_s, calculator.singleton.infer('x').to_s, calculator.infer(nil).to_s, calculator.infer(:default).to_s]
    when 'relations'
      integer = parser.parse('Integer[1, 5]')
      [integer.instance?(3), integer.instance?(6), integer === 1, f.numeric.assignable?(integer), calculator.assignable?(integer, f.integer),
       calculator.instance?(integer, 2), integer == parser.parse('Integer[1,5]'), integer.eql?(f.range(1, 5)), integer.hash == f.range(1, 5).hash,
       integer.generalize.to_s, calculator.generalize(f.type_of([1, 2])).to_s]
    when 'parts'
      [parser.parse('Integer[1, 5]').from, parser.parse('Integer[1, 5]').to, parser.parse('Array[String, 1, 3]').element_type.to_s,
       parser.parse('Array[String, 1, 3]').size_type.to_s, parser.parse('Hash[String, Integer]').key_type.to_s, parser.parse('Hash[String, Integer]').value_type.to_s,
       parser.parse('Variant[String, Integer]').types.map(&:to_s), parser.parse('Enum[a, b]').values, parser.parse('Optional[String]').type.to_s,
       parser.parse("Struct[{a => String, Optional[b] => Integer}]").elements.map { |e| [e.name, e.value_type.to_s, e.key_type.to_s] }, parser.parse("File['/x']").title, parser.parse("File['/x']").type_name,
       parser.parse('Class[a]').class_name, parser.parse('Pattern[/a/]').patterns.map { |r| r.regexp.source }, parser.parse('Regexp[/b/]').pattern]
    when 'assert' then t::TypeAsserter.assert_instance_of('the thing', f.string, 'ok')
    when 'assert_fails' then t::TypeAsserter.assert_instance_of('the thing', f.string, 5)
    when 'assert_named' then t::TypeAsserter.assert_instance_of(nil, f.integer, 'x') { 'told by a block' }
    when 'describe' then t::TypeMismatchDescriber.describe_mismatch('x', f.string, f.integer)
    when 'describe_singleton' then t::TypeMismatchDescriber.singleton.describe_mismatch('value', f.range(1, 2), f.range(3, 4))
    when 'convert' then [t::StringConverter.convert([1, 'a', nil, { 'k' => true }]), t::StringConverter.convert('x', '%p'), t::StringConverter.convert(255, '%#x'), t::StringConverter.singleton.convert([1], '%a')]
    when 'formatter' then t::TypeFormatter.string(f.array_of(f.integer))
    when 'classes' then [t::PIntegerType::DEFAULT.to_s, t::PIntegerType.new(1, 3).to_s, t::PStringType::NON_EMPTY.to_s, t::PArrayType.new(f.string).to_s, t::PAnyType::DEFAULT.to_s, f.integer.class.name, parser.parse('String').is_a?(t::PStringType)]
    when 'new' then [f.integer.create('12'), f.string.create(5), f.boolean.create('yes')]
    when 'iterable' then [t::Iterable.on([1, 2]).to_a, t::Iterable.on('ab').to_a, t::Iterable.on(3).to_a, t::Iterable.iterable?(nil), t::Iterable.asserted_iterable(self, { 'a' => 1 }).hash_style?]
    when 'name' then [f.integer.name, f.integer.simple_name, f.resource('file').to_s, parser.parse('Api::Port').to_s, parser.parse('Api::Port').resolved_type.to_s]
    when 'value' then [f.integer, parser.parse('Api::Port')]
    when 'raise' then parser.parse('Nothing::Like')
    when 'syntax' then parser.parse('Integer[')
    when 'case'
      case 5
      when f.string then 's'
      when f.range(1, 9) then 'r'
      end
    end
  end
end
