require 'timeout'
require_relative 'random_choice'

module Oracle
  # Random calls of the methods of Ruby's basic classes, as expressions.
  class MethodCallGenerator
    include RandomChoice

    RECEIVERS = [
      '"foo bar"', '""', '"5"', '"Ab\n"', '"\u00e4b\u00df c"', '"Foo-Bar_9.1"', '"a,b,,c"', '" x \t"', '"1.50"', '"0x1F"', '"%s %d"',
      '"l1\nl2\n"', ':foo', ':"a b"', '5', '-3', '0', '12345', '2.5', '-2.5', '-0.0', '1e3', 'nil', 'true', 'false',
      '[1, 2, 3]', '[]', '["b", "a"]', '[[1, 2], [3, 4]]', '[nil, 1, "x"]', '[1, [2, [3, nil]]]', '[3.5, 1, 2]', '[true, false]',
      '{ "a" => 1, "b" => nil }', '{}', '{ 1 => [2] }', '{ a: 1 }', '{ "a" => { "b" => [1] } }',
      '(1..4)', '(1...1)', '("a".."c")', '("b".."a")', '/(a)(b)?/', '/o/.match("foo")', '/(?<n>o)/.match("foo")', 'String'
    ].freeze
    ARGUMENTS = [
      '1', '-1', '0', '2', '3', '10', '16', '-2', '2.5', '"a"', '""', '"o"', '"b"', '","', '" "', '"a-z"', '"^a"', '"%05d"', ':a', ':to_s',
      'nil', 'true', '[1]', '[]', '["a", 2]', '{ "a" => 2 }', '{ a: 2 }', '(0..1)', '(1..-1)', '(0...-1)', '/o/', '/[a-c]/', '/(\d+)/', 'String'
    ].freeze
    BLOCKS = [
      '{ |x| x }', '{ |x, y| y }', '{ |x| x.to_s }', '{ |x| nil }', '{ true }', '{ |a, b| a <=> b }', '{ |x| [x, 1] }', '{ |x, (y, z)| [z, y, x] }',
      '{ |x| "<#{x}>" }', '{ |x| x == 1 }', '{ |*x| x.size }', '{ |x, y = 2| [x, y] }', '{ |x| next 3 if x; x }', '{ |x| break x }', '{ |x| x[0] }',
      '{ |m, x| m << x }'
    ].freeze
    # Methods that templates do not call, that never end, or that have random results.
    OTHERS = %i[
      casecmp compare_by_identity crypt cycle encode encoding force_encoding freeze hash inspect lazy pack permutation product
      repeated_combination repeated_permutation sample shuffle shuffle! step sum tap then to_enum unicode_normalize unpack unpack1 upto
      yield_self
    ].freeze
    COMMON = %i[== != === =~ !~ <=> nil? is_a? instance_of? kind_of? respond_to? to_s class dup clone eql?].freeze
    CHANGES = %i[
      << append clear concat delete delete_at delete_if fill insert keep_if pop prepend push rehash replace shift store
      unshift update
    ].freeze
    def initialize(seed)
      @random = Random.new(seed)
      @methods = Hash.new { |known, receiver| known[receiver] = methods_of(Timeout.timeout(2) { eval(receiver) }) }
    end

    # An expression that shows the result, and the receiver if it may have changed; of a fourth of all calls the result is
    # the receiver of a further call.
    def next_call
      expression = call_of(pick(RECEIVERS))
      expression = call_of(expression) while chance(25) && evaluates?(expression)
      expression
    end

    private

    def evaluates?(expression)
      return false if expression.size > 300

      @methods[expression]
      true
    rescue StandardError, ScriptError, NoMemoryError, SystemStackError
      false
    end

    def call_of(receiver)
      name, arity = pick(@methods[receiver])
      arguments = Array.new(arity.negative? || chance(10) ? pick([0, 0, 1, 1, 1, 2, 2, 3]) : arity) { pick(ARGUMENTS) }
      return operation(receiver, name, arguments) unless name.match?(/\A[a-z_]\w*[?!]?\z/i)

      call = "#{name}#{"(#{arguments.join(', ')})" unless arguments.empty?}#{" #{pick(BLOCKS)}" if chance(30)}"
      changes?(name) ? "(object = #{receiver}; result = object.#{call}; [result, object])" : "(#{receiver}).#{call}"
    end

    # The names of methods with the numbers of arguments; most methods of classes change them.
    def methods_of(object)
      names = object.is_a?(Module) ? [:name] : object.public_methods - Object.instance_methods - OTHERS
      (names | COMMON).map { |name| [name, object.method(name).arity] }
    end

    def changes?(name)
      name.end_with?('!') || CHANGES.include?(name)
    end

    def operation(receiver, name, arguments)
      first = arguments.first || '1'
      case name
      when :[] then "(#{receiver})[#{arguments.empty? ? '0' : arguments.join(', ')}]"
      when :[]= then "(object = #{receiver}; object[#{first}] = #{arguments[1] || '2'}; object)"
      when :+@, :-@, :~, :! then "(#{name[0]}(#{receiver}))"
      when /=\z/ then name.match?(/\A\w/) ? "(object = #{receiver}; object.#{name} #{first}; object)" : "((#{receiver}) #{name} #{first})"
      else "((#{receiver}) #{name} #{first})"
      end
    end
  end
end
