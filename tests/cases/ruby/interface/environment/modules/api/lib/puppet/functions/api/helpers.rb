# frozen_string_literal: true

Puppet::Functions.create_function(:'api::helpers') do
  dispatch :run do
    param 'String', :x
  end
  dispatch :other do
    param 'Integer', :x
  end

  def self.shared
    @shared ||= 0
    @shared += 1
  end

  def run(x)
    wrap(x) { |y| y.upcase }
  end

  def other(x)
    [self.class.respond_to?(:shared), x]
  end

  private

  def wrap(x)
    "<#{yield x}>"
  end
end
