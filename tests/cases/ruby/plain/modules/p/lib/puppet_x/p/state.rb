module PuppetX
  module P
    module State
      def self.count
        @count = (@count || 0) + 1
      end
    end
  end
end
