module PuppetX
  module P
    module Kept
      COUNTS = { 'all' => [] }

      def self.add(item)
        COUNTS['all'] << item
        COUNTS['all'].length
      end
    end
  end
end
