# Sets of tags; loaded when code uses one.

# frozen_string_literal: true

module Puppet
  module Util
    class TagSet < Set # rubocop:disable Style/Documentation
      alias to_data_hash to_a

      def self.from_data_hash(tags)
        new(tags)
      end

      def join(*arguments)
        to_a.join(*arguments)
      end
    end
  end
end
