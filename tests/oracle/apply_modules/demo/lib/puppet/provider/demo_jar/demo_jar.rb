# Files with a minimum number of lines.
class Puppet::Provider::DemoJar::DemoJar
  def get(_context)
    Dir.glob("#{ENV.fetch('ROOT')}/jars/*").sort.map { |file| { path: file, ensure: 'present', minimum: File.readlines(file).size } }
  end

  def insync?(context, name, attribute, is, should)
    context.debug("#{name} #{attribute}")
    return nil unless attribute == :minimum
    raise 'more than a jar holds' if should[:minimum] > 100

    [is[:minimum] >= should[:minimum], "lines are #{is[:minimum]} and should be at least #{should[:minimum]}"]
  end

  def set(context, changes)
    changes.each do |name, change|
      is, should = change.values_at(:is, :should)
      context.processing(name, is[:minimum].inspect, should[:minimum].inspect, message: 'Filling') do
        if should[:ensure] == 'absent'
          File.unlink(name)
        else
          File.write(name, "line\n" * should[:minimum])
        end
      end
      context.processed(name, 'old', 'new')
      context.failing(name) { context.warning(name, 'is full') } if should[:force]
    end
  end
end
