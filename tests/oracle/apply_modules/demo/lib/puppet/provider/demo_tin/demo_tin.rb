require 'json'
require 'puppet/resource_api/simple_provider'

# Tins as JSON in files SHELF.NAME.
class Puppet::Provider::DemoTin::DemoTin < Puppet::ResourceApi::SimpleProvider
  def canonicalize(_context, resources)
    resources.each { |one| one[:grams] = one[:grams].to_i if one[:grams] }
  end

  def get(_context, names = nil)
    found = Dir.glob("#{ENV.fetch('ROOT')}/tins/*.json").sort.map { |file| JSON.parse(File.read(file), symbolize_names: true) }
    found.each { |one| one[:parts]&.transform_keys!(&:to_s); one[:title] = "#{one[:shelf]}/#{one[:name]}" }
    found.select { |one| names.nil? || names.empty? || names.include?({ name: one[:name], shelf: one[:shelf] }) || names.include?("#{one[:shelf]}/#{one[:name]}") }
  end

  def set(context, changes, noop: false)
    return context.notice('would write tins') if noop

    super(context, changes)
  end

  def create(context, name, should)
    context.notice(name[:name], 'is made')
    write(name, should)
  end

  def update(context, name, should)
    context.info('is changed')
    raise "there is no #{should[:content]}" if should[:content] == 'air'

    context.attribute_changed(name[:name], 'content', 'old', should[:content])
    write(name, should)
  end

  def delete(_context, name)
    File.unlink(path(name))
  end

  def path(name)
    "#{ENV.fetch('ROOT')}/tins/#{name[:shelf]}.#{name[:name]}.json"
  end

  def write(name, should)
    kept = should.reject { |key, _| %i[secret token title].include?(key) }
    File.write(path(name), "#{JSON.generate(kept.sort.to_h)}\n")
  end
end
