# The settings of the run for custom facts, which are known without a compilation.

# frozen_string_literal: true

module FactSettings
  include Enumerable

  Definition = Struct.new(:name, :section) do
    def deprecated?
      name == :configprint
    end
  end

  # The values for a section, in any environment.
  Values = Struct.new(:settings, :differing) do
    def interpolate(name)
      differing.key?(name.to_s) ? differing[name.to_s] : settings[name]
    end
    alias_method :lookup, :interpolate
  end

  # `names`: the names of all settings by section. `differing`: by section, the texts of the values that differ
  # from those of the run.
  def define(names, differing)
    @definitions = names.each_with_object({}) do |(section, of_section), all|
      of_section.each { |name| all[name.to_sym] = Definition.new(name.to_sym, section.to_sym) }
    end
    @differing = differing.transform_values { |texts| texts.transform_values { |text| Puppet::Settings.typed(text) } }
  end

  def each(&block)
    @definitions.each(&block)
  end

  def eachsection(&block)
    @definitions.each_value.map(&:section).uniq.each(&block)
  end

  def setting(name)
    @definitions[name.to_sym]
  end

  def include?(name)
    @definitions.key?(name.to_sym)
  end

  def values(_environment, section)
    Values.new(self, @differing.fetch(section.to_s) { @differing.fetch('main', {}) })
  end

  def inspect
    '#<Puppet::Settings>'
  end
end

# The loaders of facts do not depend on settings.
def Puppet.base_context(*)
  {}
end
