# frozen_string_literal: true

Puppet::Functions.create_function(:'p::call') do
  local_types do
    type 'Word = Pattern[/\\A[a-z]+\\z/]'
  end
  dispatch :call_it do
    param 'Word', :word
    optional_param 'Integer', :times
    return_type 'Array[String]'
  end
  dispatch :several do
    required_repeated_param 'Integer', :numbers
  end

  def call_it(word, times = 1)
    joined = call_function('join', [word] * times, '-')
    [joined, call_function('upcase', word), closure_scope['top'].to_s]
  end

  def several(*numbers)
    numbers.reduce { |sum, number| sum + number }
  end
end
