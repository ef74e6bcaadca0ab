# frozen_string_literal: true

module PuppetX
  module T
    # For types.
    module Mixed
      def mixed
        1
      end
    end

    # Makes properties.
    module Maker
      def make_properties(*names)
        names.each { |name| newproperty(name) { munge(&:to_s) } }
      end
    end
  end
end
