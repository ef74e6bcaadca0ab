require 'json'

# Requirements of a parent class do not apply to its subclasses.
class Puppet::Provider::KitBase < Puppet::Provider
  initvars
  commands of_parent: 'no-such-program-at-all'
  confine exists: '/no/such/file'
end

Puppet::Type.type(:kit_note).provide(:plain, parent: Puppet::Provider::KitBase) do
  desc 'Notes as JSON.'
  confine exists: '/bin/sh'
  defaultfor kernel: 'Linux'
  defaultfor kernel: 'linux'
  commands sh: '/bin/sh'
  optional_commands nothing: 'no-such-program-here'

  mk_resource_methods

  def self.post_resource_eval
    Puppet.notice("#{name} ends #{ENV['KIT_END']}") if ENV['KIT_END']
    raise 'it could not end' if ENV['KIT_END'] == 'badly'
  end

  def exists?
    File.exist?(resource[:path])
  end

  def create
    raise Puppet::Error, 'it is too large' if resource[:size] == :large && resource[:text] == 'large'

    stop if resource[:text] == 'stop'
    @content = {}
    resource.properties.each { |one| content[one.name.to_s] = one.should unless one.name == :ensure }
  end

  def destroy
    File.unlink(resource[:path])
    @gone = true
  end

  %w[size text words colour].each do |name|
    define_method(name) { content[name].nil? ? :absent : (%w[small large].include?(content[name]) ? content[name].to_sym : content[name]) }
    define_method("#{name}=") do |value|
      nothing if value == 'nothing'
      Puppet::Util::Execution.execute(['no-such-program-here', 'x']) if value == 'no program'
      sh('-c', "echo trouble; exit #{value.size}") if value == 'trouble'
      raise 'an error without a class' if value == 'plain error'
      contents[name] = value if value == 'misspelt'
      exit!(3) if value == 'end'

      content[name] = value
    end
  end

  # The remaining resources are skipped; the block runs at the end of the run, as in providers that restart the host.
  def stop
    Puppet::Application.stop!
    note = "#{resource[:path]}.end"
    process = Process.pid
    at_exit { File.write(note, "stopped: #{Puppet::Application.stop_requested?}\n") if Process.pid == process }
  end

  def content
    @content ||= File.exist?(resource[:path]) ? JSON.parse(File.read(resource[:path])) : {}
  end

  def stamp
    content['stamp'] = true
    write
    notice('was stamped')
  end

  def flush
    write unless @gone
    debug('was flushed')
  end

  def write
    File.write(resource[:path], "#{JSON.generate(content)}\n")
  end
end
