require 'puppet/resource_api/simple_provider'

# Racks as files with their level, which is always text.
class Puppet::Provider::KitRack::KitRack < Puppet::ResourceApi::SimpleProvider
  def path(name)
    "#{ENV.fetch('KIT_SHELVES')}/#{name}.rack"
  end

  def get(_context)
    Dir.glob(path('*')).sort.map { |file| { name: File.basename(file, '.rack'), ensure: 'present', level: File.read(file) } }
  end

  def create(context, name, should)
    context.notice(name, "Attributes: #{should.keys.join(' ')}")
    File.write(path(name), should[:level].to_s)
  end
  alias update create

  def delete(_context, name)
    File.unlink(path(name))
  end

  # Racks on level 9 stay.
  def generate(_context, title, _is, should)
    return [] unless should[:purge]

    others = Puppet::Type.type(:kit_rack).instances.reject { |one| one.title == title || one.rsapi_current_state[:level] == '9' }
    others.each { |one| one[:ensure] = :absent }
  end
end
