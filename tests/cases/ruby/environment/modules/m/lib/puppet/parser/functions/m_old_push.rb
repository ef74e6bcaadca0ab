# Functions of the older interface get copies of arrays and hashes.
module Puppet::Parser::Functions
  newfunction(:m_old_push, type: :rvalue) do |args|
    list = args[0].is_a?(Hash) ? args[0]['list'] : args[0]
    list << 'old'
    list.size
  end
end
