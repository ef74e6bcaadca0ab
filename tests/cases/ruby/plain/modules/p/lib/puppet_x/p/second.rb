require_relative 'first'

module PuppetX
  module P
    module Second
      def self.all(one, two)
        names = First::NAMES
        [one, two, names, First::NAMES.length, one]
      end
    end
  end
end
