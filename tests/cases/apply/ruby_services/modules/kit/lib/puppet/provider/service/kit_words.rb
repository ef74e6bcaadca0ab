# Services whose commands are methods, and that decide themselves whether they are enabled.
Puppet::Type.type(:service).provide :kit_words, parent: :base do
  has_feature :enableable

  %w[start stop].each do |action|
    define_method(:"#{action}cmd") { ['/bin/sh', '-c', "echo #{action} >> #{ENV.fetch('KIT_SERVICES')}/words; test #{resource[:name]} != broken"] }
  end

  def statuscmd
    ['/usr/bin/grep', '-q', "^#{resource[:name]}$", "#{ENV.fetch('KIT_SERVICES')}/states"]
  end

  def enabled?
    :false # rubocop:disable Lint/BooleanSymbol
  end

  def enabled_insync?(_current)
    true
  end
end
