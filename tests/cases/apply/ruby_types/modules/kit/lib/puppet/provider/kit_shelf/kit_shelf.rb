require 'puppet/resource_api/simple_provider'
require 'json'

# Shelves as JSON.
class Puppet::Provider::KitShelf::KitShelf < Puppet::ResourceApi::SimpleProvider
  def directory
    ENV.fetch('KIT_SHELVES')
  end

  def get(_context)
    Dir.glob("#{directory}/*.json").sort.map do |file|
      JSON.parse(File.read(file), symbolize_names: true).merge(ensure: 'present', weight: 7)
    end
  end

  def create(context, name, should)
    context.warning("Creating '#{name}'") if should[:label] == 'loud'
    write(name, should)
  end

  def update(_context, name, should)
    write(name, should)
  end

  def delete(_context, name)
    File.unlink("#{directory}/#{name}.json")
  end

  def write(name, should)
    raise Puppet::Error, 'a forbidden label' if should[:label] == 'forbidden'

    kept = should.reject { |key, _| %i[ensure hint].include?(key) }
    File.write("#{directory}/#{name}.json", "#{JSON.generate(kept)}\n")
  end
end
