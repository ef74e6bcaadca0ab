# frozen_string_literal: true

Puppet::Functions.create_function(:'api::calls') do
  dispatch :run do
    param 'String', :what
  end

  def run(what)
    case what
    when 'map' then call_function('map', [1, 2, 3]) { |x| x * 2 }
    when 'filter' then call_function('filter', { 'a' => 1, 'b' => 2 }) { |k, v| k == 'a' || v > 5 }
    when 'reduce' then call_function('reduce', [1, 2, 3], 10) { |memo, x| memo + x }
    when 'each' then call_function('each', %w[a b]) { |i, x| (@all ||= []) << [i, x] } && @all
    when 'with' then call_function('with', 1, 2) { |a, b| [a, b] }
    when 'new' then call_function('new', Puppet::Pops::Types::TypeFactory.integer, '0x10')
    when 'lookup' then call_function('lookup', 'nothing::here', 'default_value' => 'd')
    when 'lookup_block' then call_function('lookup', 'nothing::here') { |key| "for #{key}" }
    when 'language' then call_function('api::twice', 21)
    when 'mismatch' then call_function('api::twice', 'x')
    when 'template' then call_function('template', 'api/t.erb')
    when 'inline_epp' then call_function('inline_epp', '<%= $a %>!', { 'a' => 1 })
    when 'epp' then call_function('epp', 'api/t.epp', { 'x' => 5 })
    when 'file' then call_function('file', 'api/f.txt')
    when 'unknown' then call_function('api::no_such', 1)
    when 'fail' then call_function('fail', 'on', 'purpose')
    when 'rescue'
      begin
        call_function('fail', 'rescued')
      rescue StandardError => error
        [error.class.name, error.message]
      end
    when 'include' then call_function('include', 'api')
    when 'defined' then [call_function('defined', 'api'), call_function('defined', 'file'), call_function('defined', '$nothing')]
    when 'sprintf' then call_function('sprintf', '%05.1f|%s', 2.25, [1, nil])
    when 'type' then call_function('type', [1, 'a']).to_s
    when 'versioncmp' then call_function('versioncmp', '1.2', '1.10')
    when 'split' then call_function('split', 'a,b;c', /[,;]/)
    when 'match' then call_function('match', 'ab12', Puppet::Pops::Types::TypeFactory.pattern(/([a-z]+)(\d+)/))
    when 'assert' then call_function('assert_type', 'Integer', 'x')
    when 'assert_block' then call_function('assert_type', 'Integer', 'x') { |expected, actual| "#{expected} #{actual}" }
    when 'notice' then call_function('notice', 'from', 'Ruby')
    when 'break' then call_function('break')
    when 'slice' then call_function('slice', [1, 2, 3, 4], 2).to_a
    when 'reverse_each' then call_function('reverse_each', [1, 2]).to_a
    when 'step' then call_function('step', [1, 2, 3], 2).map { |x| x + 1 }
    else 'what?'
    end
  end
end
