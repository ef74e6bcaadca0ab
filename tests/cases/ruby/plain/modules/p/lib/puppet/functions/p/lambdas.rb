# Lambdas and procs: defaults, recursion, what leaves them.
Puppet::Functions.create_function(:'p::lambdas') do
  def lambdas(items)
    write = lambda do |item, width = 2, depth = 0, quoted|
      case item
      when Array
        "[\n" + item.map { |each| (' ' * width * (depth + 1)) + write.call(each, width, depth + 1, quoted) }.join(",\n") + "\n#{' ' * width * depth}]"
      else
        quoted ? "'#{item}'" : item.to_s
      end
    end
    first_long = lambda do |words|
      words.each { |word| return word if word.length > 3 }
      'none'
    end
    sum = ->(a, b = 10) { a + b }
    double = proc { |a, b| [a, b] }
    [write.call(items, true), write.(items, 1, false), first_long.call(%w[a long word]), first_long.call([]),
     sum.call(1), sum[1, 2], double.call([1, 2]), double.call(3), [1, 2].map(&->(x) { x * 2 })]
  end
end
