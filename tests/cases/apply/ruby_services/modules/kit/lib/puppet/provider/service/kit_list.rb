# Services that the provider lists, and that cannot be changed.
Puppet::Type.type(:service).provide :kit_list, parent: :service do
  has_feature :enableable

  def self.instances
    [new(name: 'kit_one')]
  end

  def status
    :running
  end

  def enabled?
    :true # rubocop:disable Lint/BooleanSymbol
  end
end
