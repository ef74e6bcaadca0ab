module PuppetX
  module M
    class Point
      attr_reader :x, :y
      def initialize(x, y = 0)
        raise ArgumentError, 'too far' if x > 1000
        @x = x
        @y = y * 2
      end

      def length
        Math.sqrt(@x * @x + @y * @y)
      end
    end
  end
end
