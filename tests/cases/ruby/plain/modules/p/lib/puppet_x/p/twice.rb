module PuppetX
  module P
    module Twice
      def self.name
        'first'
      end

      def self.name # rubocop:disable Lint/DuplicateMethods
        'second'
      end
    end
  end
end
